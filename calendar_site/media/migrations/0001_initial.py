import calendar_site.core.fields
import django.core.validators
import django.db.models.deletion
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='HistoricalImage',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, verbose_name='ID')),
                ('history_kind', models.CharField(max_length=15)),
                ('history_channel', models.CharField(max_length=10)),
                ('history_username', models.CharField(blank=True, max_length=150)),
                ('history_changed', models.JSONField(default=list)),
                ('history_extra', models.JSONField(default=dict)),
                ('name', models.CharField(blank=True, max_length=200, verbose_name='name')),
                ('alt', models.CharField(blank=True, help_text='Describe the image for people who cannot see it.', max_length=500, verbose_name='alternative text')),
                ('credit', models.CharField(blank=True, help_text='Creator and license.', max_length=500, verbose_name='credit')),
                ('focus_x', models.FloatField(default=0.5, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)], verbose_name='horizontal focal point')),
                ('focus_y', models.FloatField(default=0.5, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)], verbose_name='vertical focal point')),
                ('source', models.CharField(blank=True, editable=False, max_length=2000, verbose_name='source URL')),
                ('history_change_reason', models.TextField(blank=True, default='')),
                ('history_user_id', models.BigIntegerField(null=True)),
                ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField()),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('author', models.ForeignKey(blank=True, db_constraint=False, db_index=False, editable=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='author')),
            ],
            options={
                'ordering': ('-history_id',),
                'default_permissions': (),
                'indexes': [models.Index(fields=['id', '-history_id'], name='image_history_record'), models.Index(fields=['-history_date', '-history_id', 'history_kind', 'history_channel', 'history_user_id'], name='image_history_newest')],
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='Image',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('file', models.FileField(editable=False, max_length=255, upload_to='', verbose_name='file')),
                ('digest', models.CharField(editable=False, max_length=64, unique=True)),
                ('name', calendar_site.core.fields.PlainTextField(blank=True, max_length=200, verbose_name='name')),
                ('alt', calendar_site.core.fields.PlainTextField(blank=True, help_text='Describe the image for people who cannot see it.', max_length=500, verbose_name='alternative text')),
                ('credit', calendar_site.core.fields.PlainTextField(blank=True, help_text='Creator and license.', max_length=500, verbose_name='credit')),
                ('focus_x', models.FloatField(default=0.5, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)], verbose_name='horizontal focal point')),
                ('focus_y', models.FloatField(default=0.5, validators=[django.core.validators.MinValueValidator(0), django.core.validators.MaxValueValidator(1)], verbose_name='vertical focal point')),
                ('width', models.PositiveIntegerField(editable=False, verbose_name='width')),
                ('height', models.PositiveIntegerField(editable=False, verbose_name='height')),
                ('filesize', models.PositiveIntegerField(editable=False, verbose_name='file size in bytes')),
                ('media_type', models.CharField(editable=False, max_length=50, verbose_name='media type')),
                ('renditions', models.JSONField(default=dict, editable=False)),
                ('source', models.CharField(blank=True, editable=False, max_length=2000, verbose_name='source URL')),
                ('created_at', models.DateTimeField(auto_now_add=True, verbose_name='created')),
                ('modified_at', models.DateTimeField(auto_now=True, verbose_name='modified')),
                ('search_text', models.TextField(blank=True, editable=False)),
                ('author', models.ForeignKey(editable=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='author')),
            ],
            options={
                'verbose_name': 'image',
                'verbose_name_plural': 'images',
                'ordering': ('-created_at', '-pk'),
                'default_permissions': ('add', 'change', 'delete', 'view', 'change_others', 'delete_others'),
                'constraints': [models.CheckConstraint(condition=models.Q(('focus_x__range', (0, 1)), ('focus_y__range', (0, 1))), name='image_focus_inside_it')],
            },
        ),
    ]
