"""The forms and the page with which users manage application passwords; the admin uses the forms as well."""
