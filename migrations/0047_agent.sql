-- What a user and the agent are talking about: one conversation each, forgotten soon after its last word.
create table agent_conversations (
  user_id    integer primary key references users,
  -- The wish so far, and what the user has said of it.
  state      jsonb not null check (jsonb_typeof(state) = 'object'),
  updated_at timestamptz not null default service_now(),
  expires_at timestamptz not null,
  constraint agent_conversations_bounded check (length(state::text) <= 32000)
);
create index agent_conversations_expiry on agent_conversations (expires_at);

-- What moves money and waits for the user's word, with exactly what will be done.
create table agent_confirmations (
  -- Also the operation under which it is done.
  confirmation_id uuid primary key,
  user_id    integer not null references users,
  client_id  integer not null references clients,
  intent     text not null check (intent in ('send', 'crosschain_transfer')),
  parameters jsonb not null check (jsonb_typeof(parameters) = 'object'),
  language   text not null check (language in ('en', 'id')),
  -- What the word has to carry where it could be meant for something else.
  code       text not null check (code ~ '^[0-9]{4}$'),
  needs_code boolean not null,
  -- CONFIRMED: it is being done. REPLACED: by another wish, before anybody had agreed.
  status text not null default 'OPEN'
    check (status in ('OPEN', 'CONFIRMED', 'DONE', 'FAILED', 'CANCELLED', 'REPLACED')),
  -- The request that agreed to it, as the activity log tells of it.
  asked      jsonb,
  -- Of the transfer between chains that it has begun.
  log_id     uuid,
  result     jsonb,
  created_at timestamptz not null default service_now(),
  -- Until when it can be agreed to.
  expires_at timestamptz not null,
  ended_at   timestamptz,
  constraint agent_confirmations_asked check (status not in ('CONFIRMED', 'DONE') or asked is not null),
  constraint agent_confirmations_ended check (
    (status in ('OPEN', 'CONFIRMED')) = (ended_at is null)),
  constraint agent_confirmations_result check ((result is null) or status = 'DONE')
);
create unique index agent_confirmations_open on agent_confirmations (user_id)
  where status = 'OPEN';
create index agent_confirmations_of_user on agent_confirmations (user_id, created_at);
-- Those that may be forgotten once they are old.
create index agent_confirmations_old on agent_confirmations (created_at)
  where status <> 'CONFIRMED';
