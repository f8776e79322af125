"""How Jinja's templates are compiled here: to code that reads dictionaries, calls macros and escapes at once.

What is drawn is the same as by Jinja's own; rendering is most of a move's time.
"""

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import Environment, FileSystemBytecodeCache, Template
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame, MacroRef
from jinja2.nodes import Concat, Expr, Getattr
from jinja2.runtime import Context, Macro, markup_join
from jinja2.utils import internalcode
from markupsafe import Markup, _escape_inner, escape

COMPILER = jinja2.__version__ + Path(__file__).read_text()


class PlainContext(Context):
    """A context that calls functions directly, as none of ours takes the context."""

    @internalcode
    def call(
        self,
        called: Callable[..., Any],
        /,
        *arguments: Any,
        _loop_vars: object = None,
        _block_vars: object = None,
        **named: Any,
    ) -> Any:
        """Call without the variables, which are for functions that take the context."""
        return called(*arguments, **named)


def escaped(thing: Any) -> str:
    """Return what a template puts out of a thing: as `escape` does, in a third of its time, as nothing is marked.

    What is put out is only strung together. Half of it is safe already, or numbers.
    """
    kind = type(thing)
    if kind is Markup:
        return thing  # type: ignore[no-any-return]
    if kind is str:
        return _escape_inner(thing)
    return str(thing) if kind is int else escape(thing)


def joined(parts: tuple[Any, ...]) -> str:
    """Return what `~` makes of its parts: as `markup_join` does, at once where nothing is to be escaped."""
    for part in parts:
        if type(part) is not str and type(part) is not int:
            return markup_join(parts)
    return "".join(map(str, parts))


class PlainMacro(Macro):
    """A macro that, given its arguments in order and no others, is called at once: as nearly always."""

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.is_plain = bool(self._default_autoescape) and not (self.caller or self.catch_kwargs or self.catch_varargs)

    @internalcode
    def __call__(self, *arguments: Any, **named: Any) -> str:
        """Call the macro; what it makes is marked as HTML."""
        if self.is_plain and not named and len(arguments) == self._argument_count:
            return _marked(Markup, self._func(*arguments))
        return super().__call__(*arguments, **named)


_marked = str.__new__  # Markup's own looks first whether the text is marked already


class DictCode(CodeGenerator):
    """Compiled code in which `a.b` reads a dictionary's key inline, and what is put out is `escaped`."""

    def _output_child_pre(self, node: Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.autoescape and not frame.eval_ctx.volatile and finalize.src is None:
            self.write("environment.escaped(")
        else:
            super()._output_child_pre(node, frame, finalize)

    def macro_def(self, macro_ref: MacroRef, frame: Frame) -> None:
        """Write the making of a macro, of our class."""
        self.write("environment.")
        super().macro_def(macro_ref, frame)

    def visit_Concat(self, node: Concat, frame: Frame) -> None:
        """Write what `~` joins, by `joined`."""
        self.write("environment.joined((")
        for part in node.nodes:
            self.visit(part, frame)
            self.write(", ")
        self.write("))")

    def visit_Getattr(self, node: Getattr, frame: Frame) -> None:
        """Write the look-up as an expression that falls back to the environment."""
        name, thing = repr(node.attr), self.temporary_identifier()
        self.write(f"({thing}[{name}] if type({thing} := ")
        self.visit(node.node, frame)
        self.write(f") is dict and {name} in {thing} else environment.getattr({thing}, {name}))")


class PlainTemplate(Template):
    """A template that is imported as one module by all others, as all have the same globals."""

    def _get_default_module(self, ctx: Context | None = None) -> Any:
        return super()._get_default_module()


class Compiled(FileSystemBytecodeCache):
    """What templates are compiled to, for all languages and for the processes that come; a disk that is full or may not
    be written only leaves each process to compile for itself.
    """

    def get_source_checksum(self, source: str) -> str:
        """Return a checksum of the template and of what compiles it."""
        return super().get_source_checksum(COMPILER + source)

    def load_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with contextlib.suppress(OSError):
            super().dump_bytecode(bucket)


class DictEnvironment(Environment):
    """An environment in which `a.b` tries a dictionary's key before an attribute."""

    context_class = PlainContext
    template_class = PlainTemplate
    code_generator_class = DictCode
    Macro = PlainMacro
    escaped = staticmethod(escaped)
    joined = staticmethod(joined)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._found: dict[str, Template] = {}

    def get_template(self, name: Any, parent: str | None = None, globals: Any = None) -> Template:
        """Return a template, which is looked for once unless files are watched."""
        found = self._found.get(name) if type(name) is str else None
        if found is None:
            found = super().get_template(name, parent, globals)
            if not self.auto_reload and type(name) is str:
                self._found[name] = found
        return found

    def make_globals(self, d: Any) -> dict[str, Any]:
        """Return what all templates have, in one dictionary: each rendering copies it."""
        return {**self.globals, **(d or {})}

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict:
            try:
                return obj[attribute]
            except KeyError:
                pass
        return super().getattr(obj, attribute)
