import calendar_site.core.fields
import django.core.validators
import simple_history.models
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='CustomField',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('resource', models.CharField(choices=[('event', 'events'), ('venue', 'venues'), ('organizer', 'organizers')], max_length=10, verbose_name='applies to')),
                ('name', models.CharField(help_text='The name of the field in the API. Use lowercase letters, digits and underscores.', max_length=50, validators=[django.core.validators.RegexValidator('\\A[a-z][a-z0-9_]*\\Z', 'Use lowercase letters, digits and underscores. Start with a letter.')], verbose_name='name')),
                ('label', calendar_site.core.fields.PlainTextField(help_text='The name shown in forms and on public pages.', max_length=200, verbose_name='label')),
                ('kind', models.CharField(choices=[('text', 'Text'), ('number', 'Number'), ('boolean', 'Yes/no'), ('date', 'Date'), ('url', 'URL'), ('choice', 'Single choice')], default='text', max_length=10, verbose_name='type')),
                ('choices', models.TextField(blank=True, help_text='One choice per line.', verbose_name='choices')),
                ('position', models.PositiveSmallIntegerField(default=0, verbose_name='position')),
            ],
            options={
                'verbose_name': 'custom field',
                'verbose_name_plural': 'custom fields',
                'ordering': ('resource', 'position', 'pk'),
                'constraints': [models.UniqueConstraint(fields=('resource', 'name'), name='custom_field_once', violation_error_message='A field with this name already exists.')],
            },
        ),
        migrations.CreateModel(
            name='HistoricalCustomField',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, verbose_name='ID')),
                ('history_kind', models.CharField(max_length=15)),
                ('history_channel', models.CharField(max_length=10)),
                ('history_username', models.CharField(blank=True, max_length=150)),
                ('history_changed', models.JSONField(default=list)),
                ('history_extra', models.JSONField(default=dict)),
                ('resource', models.CharField(choices=[('event', 'events'), ('venue', 'venues'), ('organizer', 'organizers')], max_length=10, verbose_name='applies to')),
                ('name', models.CharField(help_text='The name of the field in the API. Use lowercase letters, digits and underscores.', max_length=50, validators=[django.core.validators.RegexValidator('\\A[a-z][a-z0-9_]*\\Z', 'Use lowercase letters, digits and underscores. Start with a letter.')], verbose_name='name')),
                ('label', models.CharField(help_text='The name shown in forms and on public pages.', max_length=200, verbose_name='label')),
                ('kind', models.CharField(choices=[('text', 'Text'), ('number', 'Number'), ('boolean', 'Yes/no'), ('date', 'Date'), ('url', 'URL'), ('choice', 'Single choice')], default='text', max_length=10, verbose_name='type')),
                ('choices', models.TextField(blank=True, help_text='One choice per line.', verbose_name='choices')),
                ('position', models.PositiveSmallIntegerField(default=0, verbose_name='position')),
                ('history_change_reason', models.TextField(blank=True, default='')),
                ('history_user_id', models.BigIntegerField(null=True)),
                ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField()),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
            ],
            options={
                'ordering': ('-history_id',),
                'default_permissions': (),
                'indexes': [models.Index(fields=['id', '-history_id'], name='customfield_history_record'), models.Index(fields=['-history_date', '-history_id', 'history_kind', 'history_channel', 'history_user_id'], name='customfield_history_newest')],
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
    ]
