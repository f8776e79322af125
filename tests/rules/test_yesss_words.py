"""What a word must be: accepted and refused words, in both languages."""

import unicodedata

import pytest

from games.engine import IllegalMove
from games.rules.yesss.wording import acceptable, folded

ACCEPTED = {
    "fr": """
        abeille papillon mer montagne voyage liberté danger vacances école musique danse sommeil
        rêve cauchemar hiver été printemps automne pluie neige soleil lune étoile planète fusée
        avion train voiture vélo cheval chat chien souris éléphant crocodile dinosaure forêt arbre
        fleur jardin feuille racine pomme banane citron framboise fromage pizza pain gâteau
        anniversaire bougie cadeau surprise fête mariage amour amitié colère peur joie tristesse
        Noël Pâques Napoléon Paris Bourgogne safran Bretagne Tintin Picasso Mozart Coca Google
        Lego manger mangeait mangerons courir couru volant dormez rougir blanchir jaunir verdoyant noircissent
        aujourd'hui aujourd’hui presqu'île l'amour jusqu’ici quelqu'un œuf œil bœuf cœur où île naïf
        Citroën argent or bronze cuivre cerise prune olive saumon caramel crème sable ivoire rubis
        corail onze douze treize vingt cent mille million premier double triple demi paire seven
        eight red blue white pi o y à
    """,
    "en": """
        bee butterfly sea mountain journey freedom danger holiday school music dance sleep dream
        nightmare winter summer spring autumn rain snow sun moon star planet rocket plane train car
        bicycle fleet Bordeaux horse cat dog mouse elephant forest tree flower garden leaf root apple
        banana lemon
        cheese cake birthday candle gift party wedding love friendship anger fear joy Christmas
        Easter London Einstein Lego Google running ran flown redden whiten blacken greenery bluebird
        o'clock O’Neill ma'am sun’s bronze copper cherry plum peach cream salmon ivory ruby coral
        eleven twelve hundred thousand first second double half pair rouge vert sept dix naïve café
        Ωμέγα Москва 東京 ねこ שלום
    """,
}
REFUSED = {
    "fr": """
        rouge Rouges ROUGE bleu bleue bleus bleues vert verte verts VERTES jaune jaunes orange
        oranges rose roses violet violette violets violettes noir noire noirs noires blanc blanche
        blancs BLANCHES gris grise grises marron marrons brun brune beige turquoise doré dorée dorés
        dore argenté argentée argente mauve indigo zéro zero zéros un une Une deux DEUX trois quatre
        cinq six sept huit neuf dix porte-avions arc-en-ciel r2d2 7 u.f.o l' 'ami l''eau hello!
        mot_mot e-mail S.N.C.F. © a1 bordeaux Grenat lavandes lilas parme celadon amarante anthracites
        écrus roussâtres carminées mordoré incarnate
    """,
    "en": """
        red Reds RED blue green yellow orange pink purple black white grey gray brown violet
        turquoise golden silver gold beige zero one One two three four five six SEVEN eight nine ten
        ones ice-cream x2 U.S.A. rock'n' mother-in-law 'tis hello? a/b navy Burgundy
        lavender lilacs cerise cerulean tawny ultramarines blueish goldens carmine nil aughts
    """,
}
TWO_WORDS = [
    "deux mots",
    "a b",
    "mot\tmot",
    "ligne\nligne",
    "",
    " ",
    "\u200bmot",
    "m\u00adot",
    "🙂",
    "mot🙂",
    "ⅳ",
]
TOO_LONG = ["x" * 31, "é" * 31, "x" * 40]


def words(lists):
    return [(language, word) for language, text in lists.items() for word in text.split()]


def code_of(word, language):
    with pytest.raises(IllegalMove) as refused:
        acceptable(word, language)
    assert str(refused.value)
    return refused.value.code


def test_there_are_200_accepted_and_100_refused_words():
    assert len(set(words(ACCEPTED))) >= 200
    assert len(set(words(REFUSED))) + len(TWO_WORDS) + len(TOO_LONG) >= 100


@pytest.mark.thin(61)
@pytest.mark.parametrize(("language", "word"), words(ACCEPTED))
def test_what_may_be_said(language, word):
    assert acceptable(word, language) == unicodedata.normalize("NFC", word)


@pytest.mark.thin(40)
@pytest.mark.parametrize(
    ("language", "word"), [*words(REFUSED), *(("fr", word) for word in TWO_WORDS + TOO_LONG)], ids=repr
)
def test_what_may_not_be_said(language, word):
    assert code_of(word, language) == "bad_word"


def test_a_word_is_trimmed_and_kept_in_nfc():
    assert acceptable("  mer \n", "fr") == "mer"
    assert acceptable("e\u0301te\u0301", "fr") == "été"
    assert acceptable("O’Neill", "en") == "O’Neill"


def test_marks_stand_after_letters_and_are_not_counted():
    bare = "x\u0323"  # there is no single sign for it: ẋ has its dot above
    word = unicodedata.normalize("NFC", bare * 20)
    assert acceptable(word, "fr") == word
    assert code_of("\u0301mer", "fr") == code_of("m'\u0301er", "fr") == "bad_word"
    assert acceptable("e\u0301'e\u0301", "fr") == "é'é"


def test_apostrophes_stand_between_letters_and_are_not_counted():
    assert acceptable("x" * 15 + "'" + "y" * 15, "fr")
    for word in ("'mer", "mer'", "m''er", "’", "m’'er"):
        assert code_of(word, "fr") == "bad_word"


def test_thirty_letters_are_the_most():
    assert acceptable("x" * 30, "fr") == "x" * 30
    assert code_of("x" * 31, "en") == "bad_word"


def test_colours_and_numbers_hide_behind_no_accent_case_or_typography():
    for word in ("ZERO", "zéro", "zérô", "ｒｏｕｇｅ", "ROÛGE", "ⓡouge"):
        assert code_of(word, "fr") == "bad_word"
    assert folded("ŒUF") == folded("œuf")


def test_each_refusal_says_why():
    said = set()
    for word in ("rouge", "sept", "a b", "", "x" * 31):
        with pytest.raises(IllegalMove) as refused:
            acceptable(word, "fr")
        said.add(refused.value.message)
    assert len(said) == 5
    with pytest.raises(IllegalMove, match="rouge"):
        acceptable(" rouge ", "fr")
