"""Texts of third-party packages that have no translation in one of our languages, or one that is not our term.

They are listed only to be collected into our catalogs. tests/test_catalogs.py names those that are missing.
"""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

TEXTS = (
    # Django, whose translations are not the words of our glossary in some languages.
    _("Save"),
    _("Save and continue editing"),
    _("Save and add another"),
    _("Save as new"),
    _("Save and view"),
    _("History"),
    _("Change history: %s"),
    _("View"),
    _("View %s"),
    _("Log out"),
    _("Delete"),
    # Unfold, which brings no translations.
    _("Select record"),
    _("Select action"),
    _(
        "Raw passwords are not stored, so there is no way to see this user’s password, but you can change the "
        'password using <a href="{}" class="text-primary-600 dark:text-primary-500">this form</a>.'
    ),
    _("Select action to run"),
    _("Select value"),
    _("Run"),
    _("After you've created a user, you’ll be able to edit more user options."),
    _("Filters"),
    _("Expand row"),
    _("Welcome back to"),
    _("Forgotten your password or username?"),
    _("Type to search"),
    _("You have been successfully logged out from the administration"),
    _("No data"),
    _("More actions"),
    _("All applications"),
    _("True"),
    _("False"),
    _("Apply Filters"),
    _("Select all rows"),
    _("Recent searches"),
    _("No recent searches"),
    _("No results matching your query"),
    _("Loading more results..."),
    ngettext_lazy(
        "\n                Found %(counter)s result in %(time)s seconds\n            ",
        "\n                Found %(counter)s results in %(time)s seconds\n            ",
    ),
    _("Cancel"),
    _("Submit"),
    _("Record picture"),
    _("This item will be deleted."),
    _("Click to cancel"),
    _("No results found"),
    _("This page yielded into no results. Create a new item or reset your filters."),
    _("Reset filters"),
    _("Image preview"),
    _("Click to download"),
    _("Go back"),
    _("Previous"),
    _("Next"),
    _("Search apps and models..."),
    _("General"),
    _("Light"),
    _("Dark"),
    _("System"),
    _("Return to site"),
    _("Choose file to upload"),
    _("Toggle password visibility"),
    _("Welcome"),
    _("Date"),
    # Django’s admin and accounts.
    _("Model name"),
    _("Add link"),
    _("Change or view list link"),
    _("After you’ve created a user, you’ll be able to edit more user options."),
    _("Error:"),
    _("Set password"),
    _("This action will <strong>enable</strong> password-based authentication for this user."),
    _("Disable password-based authentication"),
    _("Enable password-based authentication"),
    _("Forgotten your login credentials?"),
    _("Set password: %s"),
    _("Conflicting form data submitted. Please try again."),
    _("Password-based authentication was disabled."),
    _(
        "Whether the user will be able to authenticate using a password or not. If disabled, they may still be "
        "able to authenticate using other backends, such as Single Sign-On or LDAP."
    ),
    _("Reset password"),
    _("Raw passwords are not stored, so there is no way to see the user’s password."),
    _("Password-based authentication"),
    _("Enable password-based authentication for this user by setting a password."),
    _("Enabled"),
    _("Disabled"),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
    _(
        "Enter a valid username. This value may contain only unaccented lowercase a-z and uppercase A-Z "
        "letters, numbers, and @/./+/-/_ characters."
    ),
    # Django’s forms and models.
    _(
        "ManagementForm data is missing or has been tampered with. Missing fields: %(field_names)s. You may "
        "need to file a bug report if the issue persists."
    ),
    ngettext_lazy(
        "Please submit at most %(num)d form.",
        "Please submit at most %(num)d forms.",
    ),
    ngettext_lazy(
        "Please submit at least %(num)d form.",
        "Please submit at least %(num)d forms.",
    ),
    _("“%(pk)s” is not a valid value."),
    _("Enter a valid domain name."),
    _("Enter a valid “slug” consisting of letters, numbers, underscores or hyphens."),
    _("Enter a valid “slug” consisting of Unicode letters, numbers, underscores, or hyphens."),
    _("Enter a valid %(protocol)s address."),
    _("IPv6"),
    _("IPv4"),
    _("IPv4 or IPv6"),
    _("Constraint “%(name)s” is violated."),
    _("“%(value)s” value must be a decimal number."),
    _("“%(value)s” value must be a float."),
    _("“%(value)s” value must be an integer."),
    _("“%(value)s” value must be either None, True or False."),
    _("%(model)s instance with %(field)s %(value)r is not a valid choice."),
)
