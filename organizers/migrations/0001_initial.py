import calendar_site.core.fields
import calendar_site.core.validators
import django.db.models.deletion
import django.utils.timezone
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('media', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HistoricalOrganizer',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, verbose_name='ID')),
                ('history_kind', models.CharField(max_length=15)),
                ('history_channel', models.CharField(max_length=10)),
                ('history_username', models.CharField(blank=True, max_length=150)),
                ('history_changed', models.JSONField(default=list)),
                ('history_extra', models.JSONField(default=dict)),
                ('title', models.CharField(max_length=500, verbose_name='title')),
                ('slug', models.CharField(blank=True, max_length=200, verbose_name='slug')),
                ('status', models.CharField(choices=[('publish', 'Published'), ('future', 'Scheduled'), ('draft', 'Draft'), ('pending', 'Pending review'), ('private', 'Private'), ('trash', 'In the trash')], default='publish', max_length=10, verbose_name='status')),
                ('published_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='Published')),
                ('description', models.TextField(blank=True, verbose_name='description')),
                ('excerpt', models.TextField(blank=True, verbose_name='excerpt')),
                ('custom_values', models.JSONField(blank=True, default=dict, editable=False)),
                ('phone', models.CharField(blank=True, max_length=200, verbose_name='phone')),
                ('website', models.CharField(blank=True, max_length=2000, validators=[calendar_site.core.validators.HTTPURLValidator(message='Enter a URL that starts with http:// or https://.', schemes=['http', 'https'])], verbose_name='website')),
                ('email', models.CharField(blank=True, max_length=320, verbose_name='email')),
                ('history_change_reason', models.TextField(blank=True, default='')),
                ('history_user_id', models.BigIntegerField(null=True)),
                ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField()),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('author', models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='author')),
                ('image', models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='media.image', verbose_name='image')),
            ],
            options={
                'ordering': ('-history_id',),
                'default_permissions': (),
                'indexes': [models.Index(fields=['id', '-history_id'], name='organizer_history_record'), models.Index(fields=['-history_date', '-history_id', 'history_kind', 'history_channel', 'history_user_id'], name='organizer_history_newest')],
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='Organizer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', calendar_site.core.fields.PlainTextField(max_length=500, verbose_name='title')),
                ('slug', models.CharField(blank=True, max_length=200, verbose_name='slug')),
                ('status', models.CharField(choices=[('publish', 'Published'), ('future', 'Scheduled'), ('draft', 'Draft'), ('pending', 'Pending review'), ('private', 'Private'), ('trash', 'In the trash')], default='publish', max_length=10, verbose_name='status')),
                ('published_at', models.DateTimeField(default=django.utils.timezone.now, verbose_name='Published')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('modified_at', models.DateTimeField(auto_now=True, verbose_name='modified')),
                ('description', calendar_site.core.fields.HTMLField(blank=True, verbose_name='description')),
                ('excerpt', calendar_site.core.fields.HTMLField(blank=True, verbose_name='excerpt')),
                ('custom_values', models.JSONField(blank=True, default=dict, editable=False)),
                ('search_text', models.TextField(blank=True, editable=False)),
                ('name_key', models.CharField(blank=True, db_index=True, editable=False, max_length=500)),
                ('phone', calendar_site.core.fields.PlainTextField(blank=True, max_length=200, verbose_name='phone')),
                ('website', models.CharField(blank=True, max_length=2000, validators=[calendar_site.core.validators.HTTPURLValidator(message='Enter a URL that starts with http:// or https://.', schemes=['http', 'https'])], verbose_name='website')),
                ('email', calendar_site.core.fields.PlainTextField(blank=True, max_length=320, verbose_name='email')),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='author')),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='media.image', verbose_name='image')),
            ],
            options={
                'verbose_name': 'organizer',
                'verbose_name_plural': 'organizers',
                'ordering': ('-published_at', '-pk'),
                'abstract': False,
                'default_permissions': ('add', 'change', 'delete', 'view', 'publish', 'change_others', 'delete_others'),
                'indexes': [models.Index(fields=['-published_at', '-id'], name='organizer_newest')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'trash'), _negated=True), fields=('slug',), name='organizer_slug_unique', violation_error_message='This slug is already in use.'), models.CheckConstraint(condition=models.Q(('status__in', ['publish', 'future', 'draft', 'pending', 'private', 'trash'])), name='organizer_status_known')],
            },
        ),
    ]
