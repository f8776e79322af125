"""The real server with the test addresses in place of the site's."""

from django.conf import settings

from config.server import main

if __name__ == "__main__":
    settings.ROOT_URLCONF = "tests.operation.addresses"
    main()
