import calendar_site.core.fields
import calendar_site.core.validators
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import simple_history.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('media', '0001_initial'),
        ('organizers', '0001_initial'),
        ('taxonomy', '0001_initial'),
        ('venues', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Event',
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
                ('start', models.DateTimeField(verbose_name='starts')),
                ('end', models.DateTimeField(verbose_name='ends')),
                ('start_local', models.CharField(max_length=19, verbose_name='starts, local time')),
                ('end_local', models.CharField(max_length=19, verbose_name='ends, local time')),
                ('time_zone', models.CharField(max_length=64, validators=[calendar_site.core.validators.validate_time_zone], verbose_name='time zone')),
                ('all_day', models.BooleanField(default=False, verbose_name='all day')),
                ('is_long', models.BooleanField(default=False, editable=False)),
                ('cost', calendar_site.core.fields.PlainTextField(blank=True, max_length=200, verbose_name='cost')),
                ('cost_symbol', models.CharField(blank=True, editable=False, max_length=20)),
                ('cost_position', models.CharField(blank=True, editable=False, max_length=10)),
                ('cost_values', models.JSONField(blank=True, default=list, editable=False)),
                ('website', models.CharField(blank=True, max_length=2000, validators=[calendar_site.core.validators.HTTPURLValidator(message='Enter a URL that starts with http:// or https://.', schemes=['http', 'https'])], verbose_name='website')),
                ('show_map', models.BooleanField(default=False, verbose_name='show map')),
                ('show_map_link', models.BooleanField(default=False, verbose_name='show map link')),
                ('hide_from_listings', models.BooleanField(default=False, verbose_name='hide from listings')),
                ('sticky', models.BooleanField(default=False, verbose_name='sticky')),
                ('featured', models.BooleanField(default=False, verbose_name='featured')),
                ('password', models.CharField(blank=True, help_text='Visitors without the password see only the title and dates.', max_length=100, verbose_name='password')),
                ('author', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='author')),
                ('categories', models.ManyToManyField(blank=True, related_name='events', to='taxonomy.category', verbose_name='categories')),
                ('image', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='media.image', verbose_name='image')),
                ('parent', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='parts', to='events.event', verbose_name='parent event')),
                ('tags', models.ManyToManyField(blank=True, related_name='events', to='taxonomy.tag', verbose_name='tags')),
            ],
            options={
                'verbose_name': 'event',
                'verbose_name_plural': 'events',
                'ordering': ('start_local', 'pk'),
                'abstract': False,
                'default_permissions': ('add', 'change', 'delete', 'view', 'publish', 'change_others', 'delete_others'),
            },
        ),
        migrations.CreateModel(
            name='EventOrganizer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='events.event')),
                ('organizer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='organizers.organizer', verbose_name='organizer')),
            ],
            options={
                'verbose_name': 'organizer',
                'verbose_name_plural': 'organizers',
                'ordering': ('position', 'pk'),
                'abstract': False,
                'default_permissions': (),
            },
        ),
        migrations.AddField(
            model_name='event',
            name='organizers',
            field=models.ManyToManyField(blank=True, related_name='events', through='events.EventOrganizer', to='organizers.organizer', verbose_name='organizers'),
        ),
        migrations.CreateModel(
            name='EventVenue',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveSmallIntegerField(default=0)),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='events.event')),
                ('venue', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='venues.venue', verbose_name='venue')),
            ],
            options={
                'verbose_name': 'venue',
                'verbose_name_plural': 'venues',
                'ordering': ('position', 'pk'),
                'abstract': False,
                'default_permissions': (),
            },
        ),
        migrations.AddField(
            model_name='event',
            name='venues',
            field=models.ManyToManyField(blank=True, related_name='events', through='events.EventVenue', to='venues.venue', verbose_name='venues'),
        ),
        migrations.CreateModel(
            name='HistoricalEvent',
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
                ('start', models.DateTimeField(verbose_name='starts')),
                ('end', models.DateTimeField(verbose_name='ends')),
                ('time_zone', models.CharField(max_length=64, validators=[calendar_site.core.validators.validate_time_zone], verbose_name='time zone')),
                ('all_day', models.BooleanField(default=False, verbose_name='all day')),
                ('cost', models.CharField(blank=True, max_length=200, verbose_name='cost')),
                ('cost_symbol', models.CharField(blank=True, editable=False, max_length=20)),
                ('cost_position', models.CharField(blank=True, editable=False, max_length=10)),
                ('cost_values', models.JSONField(blank=True, default=list, editable=False)),
                ('website', models.CharField(blank=True, max_length=2000, validators=[calendar_site.core.validators.HTTPURLValidator(message='Enter a URL that starts with http:// or https://.', schemes=['http', 'https'])], verbose_name='website')),
                ('show_map', models.BooleanField(default=False, verbose_name='show map')),
                ('show_map_link', models.BooleanField(default=False, verbose_name='show map link')),
                ('hide_from_listings', models.BooleanField(default=False, verbose_name='hide from listings')),
                ('sticky', models.BooleanField(default=False, verbose_name='sticky')),
                ('featured', models.BooleanField(default=False, verbose_name='featured')),
                ('history_change_reason', models.TextField(blank=True, default='')),
                ('history_user_id', models.BigIntegerField(null=True)),
                ('history_id', models.BigAutoField(editable=False, primary_key=True, serialize=False)),
                ('history_date', models.DateTimeField()),
                ('history_type', models.CharField(choices=[('+', 'Created'), ('~', 'Changed'), ('-', 'Deleted')], max_length=1)),
                ('author', models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='author')),
                ('image', models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='media.image', verbose_name='image')),
                ('parent', models.ForeignKey(blank=True, db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, related_name='+', to='events.event', verbose_name='parent event')),
            ],
            options={
                'ordering': ('-history_id',),
                'default_permissions': (),
            },
            bases=(simple_history.models.HistoricalChanges, models.Model),
        ),
        migrations.CreateModel(
            name='SampleRecord',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(max_length=100)),
                ('record_id', models.BigIntegerField()),
            ],
            options={
                'default_permissions': (),
                'constraints': [models.UniqueConstraint(fields=('model', 'record_id'), name='sample_record_once')],
            },
        ),
        migrations.CreateModel(
            name='Ticket',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', calendar_site.core.fields.PlainTextField(max_length=200, verbose_name='name')),
                ('price', models.DecimalField(decimal_places=2, max_digits=12, validators=[django.core.validators.MinValueValidator(0, 'A price cannot be negative.')], verbose_name='price')),
                ('currency', models.CharField(help_text='Three-letter code, such as EUR.', max_length=3, validators=[django.core.validators.RegexValidator('\\A[A-Z]{3}\\Z', 'Enter a three-letter currency code, such as EUR.')], verbose_name='currency')),
                ('url', models.CharField(blank=True, max_length=2000, validators=[calendar_site.core.validators.HTTPURLValidator(message='Enter a URL that starts with http:// or https://.', schemes=['http', 'https'])], verbose_name='URL')),
                ('available_from', models.DateTimeField(blank=True, null=True, verbose_name='available from')),
                ('available_until', models.DateTimeField(blank=True, null=True, verbose_name='available until')),
                ('sold_out', models.BooleanField(default=False, verbose_name='sold out')),
                ('position', models.PositiveSmallIntegerField(default=0, verbose_name='position')),
                ('event', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tickets', to='events.event')),
            ],
            options={
                'verbose_name': 'ticket',
                'verbose_name_plural': 'tickets',
                'ordering': ('position', 'pk'),
            },
        ),
        migrations.AddConstraint(
            model_name='eventorganizer',
            constraint=models.UniqueConstraint(fields=('event', 'organizer'), name='event_organizer_once'),
        ),
        migrations.AddConstraint(
            model_name='eventvenue',
            constraint=models.UniqueConstraint(fields=('event', 'venue'), name='event_venue_once'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['start_local', 'id', 'status', 'published_at', 'hide_from_listings', 'start', 'end'], name='event_window'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(condition=models.Q(('is_long', True)), fields=['end'], name='event_long_end'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(condition=models.Q(('status', 'future')), fields=['published_at'], name='event_due'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(condition=models.Q(('parent__isnull', False)), fields=['parent'], name='event_part'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(condition=models.Q(('password', ''), _negated=True), fields=['id'], name='event_protected'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['title'], name='event_title'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(fields=['modified_at'], name='event_modified'),
        ),
        migrations.AddIndex(
            model_name='event',
            index=models.Index(condition=models.Q(('status', 'pending')), fields=['modified_at'], name='event_pending'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.UniqueConstraint(condition=models.Q(('status', 'trash'), _negated=True), fields=('slug',), name='event_slug_unique', violation_error_message='This slug is already in use.'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('status__in', ['publish', 'future', 'draft', 'pending', 'private', 'trash'])), name='event_status_known'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('end__gte', models.F('start'))), name='event_ends_after_start', violation_error_message='An event cannot end before it starts.'),
        ),
        migrations.AddConstraint(
            model_name='event',
            constraint=models.CheckConstraint(condition=models.Q(('parent__isnull', True), models.Q(('parent', models.F('pk')), _negated=True), _connector='OR'), name='event_not_its_own_part', violation_error_message='An event cannot be part of itself.'),
        ),
        migrations.AddIndex(
            model_name='historicalevent',
            index=models.Index(fields=['id', '-history_id'], name='event_history_record'),
        ),
        migrations.AddIndex(
            model_name='historicalevent',
            index=models.Index(fields=['-history_date', '-history_id', 'history_kind', 'history_channel', 'history_user_id'], name='event_history_newest'),
        ),
        migrations.AddConstraint(
            model_name='ticket',
            constraint=models.CheckConstraint(condition=models.Q(('price__gte', 0)), name='ticket_price_not_negative', violation_error_message='A price cannot be negative.'),
        ),
        migrations.AddConstraint(
            model_name='ticket',
            constraint=models.CheckConstraint(condition=models.Q(('available_from__isnull', True), ('available_until__isnull', True), ('available_until__gte', models.F('available_from')), _connector='OR'), name='ticket_available_until_after_from', violation_error_message='The sale cannot end before it starts.'),
        ),
    ]
