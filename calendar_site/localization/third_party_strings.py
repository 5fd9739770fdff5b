"""Strings of third-party packages that lack a translation in one of our languages, or whose translation we replace.

They are listed only to be collected into our catalogs. tests/test_catalogs.py names those that are missing.
"""

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy, pgettext_lazy

TEXTS = (
    # Django, whose translations differ from our glossary in some languages.
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
    # Unfold, which has no translations.
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
    # Django, whose translations are ungrammatical with the names of our models, or not in our style.
    _("%(app)s administration"),
    ngettext_lazy(
        "%(count)s %(name)s was changed successfully.",
        "%(count)s %(name)s were changed successfully.",
    ),
    _("%(model_name)s with this %(field_label)s already exists."),
    _("%(model_name)s with this %(field_labels)s already exists."),
    _("%(name)s object with primary key %(key)r does not exist."),
    _("%(name)s with ID “%(key)s” doesn’t exist. Perhaps it was deleted?"),
    ngettext_lazy(
        "%(total_count)s selected",
        "All %(total_count)s selected",
    ),
    _("0 of %(cnt)s selected"),
    _("Add %(name)s"),
    _("Add %s"),
    _("Add another %(model)s"),
    _("Add another %(verbose_name)s"),
    _(
        'Are you sure you want to delete the %(object_name)s "%(escaped_object)s"? All of the following '
        "related items will be deleted:"
    ),
    _(
        "Are you sure you want to delete the selected %(objects_name)s? All of the following objects and "
        "their related items will be deleted:"
    ),
    _("Authentication and Authorization"),
    _("Breadcrumbs"),
    _("Cannot delete %(name)s"),
    _("Change %s"),
    _("Change my password"),
    _("Change password: %s"),
    _("Change selected %(model)s"),
    _("Change:"),
    _("Clear all filters"),
    _("Clear selection"),
    _("Click here to select the objects across all pages"),
    _("Delete multiple objects"),
    _("Delete selected %(model)s"),
    _("Delete selected %(verbose_name_plural)s"),
    _("Delete?"),
    _(
        "Deleting %(class_name)s %(instance)s would require deleting the following protected related "
        "objects: %(related_objects)s"
    ),
    _(
        "Deleting the %(object_name)s '%(escaped_object)s' would require deleting the following protected "
        "related objects:"
    ),
    _(
        "Deleting the %(object_name)s '%(escaped_object)s' would result in deleting related objects, but "
        "your account doesn't have permission to delete the following types of objects:"
    ),
    _("Deleting the selected %(objects_name)s would require deleting the following protected related objects:"),
    _(
        "Deleting the selected %(objects_name)s would result in deleting related objects, but your account "
        "doesn't have permission to delete the following types of objects:"
    ),
    _("Designates that this user has all permissions without explicitly assigning them."),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s decimal place.",
        "Ensure that there are no more than %(max)s decimal places.",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s digit before the decimal point.",
        "Ensure that there are no more than %(max)s digits before the decimal point.",
    ),
    ngettext_lazy(
        "Ensure that there are no more than %(max)s digit in total.",
        "Ensure that there are no more than %(max)s digits in total.",
    ),
    ngettext_lazy(
        "Ensure this filename has at most %(max)d character (it has %(length)d).",
        "Ensure this filename has at most %(max)d characters (it has %(length)d).",
    ),
    ngettext_lazy(
        "Ensure this value has at least %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at least %(limit_value)d characters (it has %(show_value)d).",
    ),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
    ),
    _("Ensure this value is greater than or equal to %(limit_value)s."),
    _("Ensure this value is less than or equal to %(limit_value)s."),
    _("Enter a new password for the user <strong>%(username)s</strong>."),
    _("Enter a valid time."),
    _("Enter the same password as before, for verification."),
    _("File extension “%(extension)s” is not allowed. Allowed extensions are: %(allowed_extensions)s."),
    _("Go"),
    _("Hold down “Control”, or “Command” on a Mac, to select more than one."),
    _("Invalid password format or unknown hashing algorithm."),
    _("Items must be selected in order to perform actions on them. No items have been changed."),
    _("Log in again"),
    _("Logged out"),
    _("Models in the %(name)s application"),
    _("No action selected."),
    _("No file was submitted."),
    _("No file was submitted. Check the encoding type on the form."),
    _("No password set."),
    _("Objects"),
    _("Old password"),
    _("Password change"),
    _("Password change successful"),
    _("Password changed successfully."),
    _("Please correct the duplicate data for %(field)s, which must be unique."),
    _("Please correct the duplicate data for %(field)s."),
    _("Please correct the duplicate values below."),
    ngettext_lazy(
        "Please correct the error below.",
        "Please correct the errors below.",
    ),
    _("Please enter a correct %(username)s and password. Note that both fields may be case-sensitive."),
    _(
        "Please enter the correct %(username)s and password for a staff account. Note that both fields may "
        "be case-sensitive."
    ),
    _(
        "Please enter your old password, for security’s sake, and then enter your new password twice so we "
        "can verify you typed it in correctly."
    ),
    _("Remove"),
    _("Remove from sorting"),
    _("Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only."),
    _("Run the selected action"),
    _("Select %s"),
    _("Select %s to change"),
    _("Select %s to view"),
    _("Select a valid choice. %(value)s is not one of the available choices."),
    _("Select a valid choice. That choice is not one of the available choices."),
    _("Select all %(total_count)s %(module_name)s"),
    _("Select all objects on this page for an action"),
    _("Select this object for an action - {}"),
    _("Show counts"),
    _("Sorting priority: %(priority_number)s"),
    _("Successfully deleted %(count)d %(items)s."),
    _("Summary"),
    _("Thanks for spending some quality time with the web site today."),
    _("The %(name)s “%(obj)s” was deleted successfully."),
    _("The password is too similar to the %(verbose_name)s."),
    _("The submitted file is empty."),
    _("The two password fields didn’t match."),
    _("The {name} “{obj}” was added successfully."),
    _("The {name} “{obj}” was added successfully. You may add another {name} below."),
    _("The {name} “{obj}” was changed successfully."),
    _("The {name} “{obj}” was changed successfully. You may add another {name} below."),
    _("The {name} “{obj}” was changed successfully. You may edit it again below."),
    _("This account is inactive."),
    _("This field is required."),
    _("This password is entirely numeric."),
    _("This password is too common."),
    _("Toggle sorting"),
    _("Upload a valid image. The file you uploaded was either not an image or a corrupted image."),
    _("View on site"),
    _("View selected %(model)s"),
    _("Yes, I’m sure"),
    _("No, take me back"),
    _("Log in"),
    _(
        "You are authenticated as %(username)s, but are not authorized to access this page. Would you like "
        "to login to a different account?"
    ),
    _("You don’t have permission to view or edit anything."),
    _("You may edit it again below."),
    _("Your old password was entered incorrectly. Please enter it again."),
    _("Your password can’t be a commonly used password."),
    _("Your password can’t be entirely numeric."),
    _("Your password can’t be too similar to your other personal information."),
    ngettext_lazy(
        "Your password must contain at least %(min_length)d character.",
        "Your password must contain at least %(min_length)d characters.",
    ),
    _("Your password was changed."),
    _("active"),
    _("date joined"),
    _("email address"),
    _("first name"),
    _("last login"),
    _("last name"),
    _("superuser status"),
    _("user permissions"),
    _("username"),
    _("Password confirmation"),
    # The abbreviations of dates that are wrong in some languages.
    _("Mon"),
    _("Tue"),
    _("Wed"),
    _("Thu"),
    _("Fri"),
    _("Sat"),
    _("Sun"),
    pgettext_lazy("abbrev. month", "Jan."),
    pgettext_lazy("abbrev. month", "Feb."),
    pgettext_lazy("abbrev. month", "July"),
    # django-tasks-db, which has no translations.
    _("enqueued at"),
    _("started at"),
    _("finished at"),
    _("task path"),
    _("exception class path"),
    _("traceback"),
    pgettext_lazy("Task", "Ready"),
    pgettext_lazy("Task", "Running"),
    pgettext_lazy("Task", "Failed"),
    pgettext_lazy("Task", "Successful"),
)
