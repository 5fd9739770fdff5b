import calendar_site.core.fields
import django.db.models.deletion
import simple_history.models
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Tag',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', calendar_site.core.fields.PlainTextField(max_length=200, verbose_name='name')),
                ('name_key', models.CharField(blank=True, db_index=True, editable=False, max_length=200)),
                ('slug', models.CharField(blank=True, max_length=200, unique=True, verbose_name='slug')),
                ('description', calendar_site.core.fields.PlainTextField(blank=True, max_length=5000, verbose_name='description')),
                ('event_count', models.PositiveIntegerField(default=0, editable=False, verbose_name='published events')),
                ('search_text', models.TextField(blank=True, editable=False)),
            ],
            options={
                'verbose_name': 'tag',
                'verbose_name_plural': 'tags',
                'ordering': ('search_text', 'pk'),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Category',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', calendar_site.core.fields.PlainTextField(max_length=200, verbose_name='name')),
                ('name_key', models.CharField(blank=True, db_index=True, editable=False, max_length=200)),
                ('slug', models.CharField(blank=True, max_length=200, unique=True, verbose_name='slug')),
                ('description', calendar_site.core.fields.PlainTextField(blank=True, max_length=5000, verbose_name='description')),
                ('event_count', models.PositiveIntegerField(default=0, editable=False, verbose_name='published events')),
                ('search_text', models.TextField(blank=True, editable=False)),
                ('parent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='children', to='taxonomy.category', verbose_name='parent category')),
            ],
            options={
                'verbose_name': 'category',
                'verbose_name_plural': 'categories',
                'ordering': ('search_text', 'pk'),
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='HistoricalCategory',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, verbose_name='ID')),
                ('history_kind', models.CharField(max_length=15)),
                ('history_channel', models.CharField(max_length=10)),
                ('history_username', models.CharField(blank=True, max_length=150)),
                ('history_changed', models.JSONField(default=list)),
                ('history_extra', models.JSONField(default=dict)),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('slug', models.CharField(blank=True, max_length=200, verbose_name='slug')),
                ('description', models.CharField(blank=True, max_length=5000, verbose_name='description')),
                ('history_change_reason', models.TextField(blank=True, default='')),
                ('history_user_id', models.BigIntegerField(null=True)),
                ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField()),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('parent', models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='taxonomy.category', verbose_name='parent category')),
            ],
            options={
                'ordering': ('-history_id',),
                'default_permissions': (),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='HistoricalTag',
            fields=[
                ('id', models.BigIntegerField(auto_created=True, blank=True, verbose_name='ID')),
                ('history_kind', models.CharField(max_length=15)),
                ('history_channel', models.CharField(max_length=10)),
                ('history_username', models.CharField(blank=True, max_length=150)),
                ('history_changed', models.JSONField(default=list)),
                ('history_extra', models.JSONField(default=dict)),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('slug', models.CharField(blank=True, max_length=200, verbose_name='slug')),
                ('description', models.CharField(blank=True, max_length=5000, verbose_name='description')),
                ('history_change_reason', models.TextField(blank=True, default='')),
                ('history_user_id', models.BigIntegerField(null=True)),
                ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField()),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
            ],
            options={
                'ordering': ('-history_id',),
                'default_permissions': (),
                'indexes': [models.Index(fields=['id', '-history_id'], name='tag_history_record'), models.Index(fields=['-history_date', '-history_id', 'history_kind', 'history_channel', 'history_user_id'], name='tag_history_newest')],
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.AddConstraint(
            model_name='category',
            constraint=models.CheckConstraint(condition=models.Q(('parent__isnull', True), models.Q(('parent', models.F('pk')), _negated=True), _connector='OR'), name='category_not_its_own_parent', violation_error_message='A category cannot be nested under itself or one of its subcategories.'),
        ),
        migrations.AddIndex(
            model_name='historicalcategory',
            index=models.Index(fields=['id', '-history_id'], name='category_history_record'),
        ),
        migrations.AddIndex(
            model_name='historicalcategory',
            index=models.Index(fields=['-history_date', '-history_id', 'history_kind', 'history_channel', 'history_user_id'], name='category_history_newest'),
        ),
    ]
