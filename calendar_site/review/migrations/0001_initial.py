import django.core.serializers.json
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model_label', models.CharField(max_length=100)),
                ('record_id', models.BigIntegerField()),
                ('outcome', models.CharField(choices=[('open', 'Open'), ('approved', 'Approved'), ('sent_back', 'Sent Back'), ('published', 'Published'), ('withdrawn', 'Withdrawn'), ('trashed', 'Trashed'), ('unpublished', 'Unpublished')], default='open', max_length=15)),
                ('submitted_at', models.DateTimeField(null=True)),
                ('submitted_by_id', models.BigIntegerField(null=True)),
                ('submitted_by_name', models.CharField(blank=True, max_length=150)),
                ('decided_at', models.DateTimeField(null=True)),
                ('decided_by_id', models.BigIntegerField(null=True)),
                ('decided_by_name', models.CharField(blank=True, max_length=150)),
                ('note', models.TextField(blank=True, max_length=2000)),
                ('revision_data', models.JSONField(encoder=django.core.serializers.json.DjangoJSONEncoder, null=True)),
            ],
            options={
                'default_permissions': (),
                'indexes': [models.Index(fields=['model_label', 'record_id', '-id'], name='review_record'), models.Index(fields=['outcome', 'decided_at'], name='review_outcome')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('outcome', 'open')), fields=('model_label', 'record_id'), name='review_one_open'), models.CheckConstraint(condition=models.Q(('submitted_at__isnull', False), ('outcome', 'unpublished'), _connector='OR'), name='review_submitted'), models.CheckConstraint(condition=models.Q(('decided_at__isnull', False), ('outcome', 'open'), _connector='OR'), name='review_decided')],
            },
        ),
    ]
