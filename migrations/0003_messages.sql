-- What was sent to whom, and what still has to be. What a message says is kept only until it is
-- delivered, and sealed, since it may hold a password or a code.
create table messages (
  message_id         uuid primary key,
  channel            text not null check (channel in ('email', 'whatsapp', 'sms', 'push')),
  recipient          text not null,
  purpose            text not null,
  user_id            integer references users on delete set null,
  status             text not null default 'queued' check (status in ('queued', 'sent', 'failed')),
  attempts           integer not null default 0,
  sealed_body        text,
  last_error         text,
  provider_reference text,
  created_at         timestamptz not null,
  -- After this nobody wants it any more: a code that has lapsed, for instance.
  valid_until        timestamptz,
  sent_at            timestamptz,
  constraint messages_queued_have_a_body check (status <> 'queued' or sealed_body is not null),
  constraint messages_sent_have_none check (status <> 'sent' or sealed_body is null),
  constraint messages_sent_at_some_time check ((status = 'sent') = (sent_at is not null))
);

create index messages_of_user on messages (user_id, created_at desc) where user_id is not null;
create index messages_undelivered on messages (created_at) where sealed_body is not null;
