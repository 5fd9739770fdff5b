from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("limits", "0001_initial")]

    operations = [migrations.AlterModelOptions(name="counter", options={"default_permissions": ()})]
