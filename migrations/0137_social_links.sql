-- Accounts at messengers that members of the rewards app link by a bot (docs/design/accounts.md).
alter table messages drop constraint messages_channel_check;
alter table messages add constraint messages_channel_check
  check (channel in ('email', 'whatsapp', 'sms', 'push', 'telegram'));

create table social_links (
  link_id          uuid primary key,
  serial           bigint generated always as identity unique,
  userx_id         integer not null references userx,
  platform         text not null check (platform in ('telegram', 'whatsapp')),
  status           text not null default 'PENDING' check (status in
    ('PENDING', 'ASKED', 'CONFIRMING', 'LINKED', 'REJECTED', 'EXPIRED', 'CONFLICT', 'UNLINKED')),
  -- A keyed fingerprint: the code itself is nowhere.
  code_mark        bytea not null,
  -- The account that answered, until the link has ended for a day.
  account_id       text check (char_length(account_id) between 1 and 160),
  address          text check (char_length(address) between 1 and 160),
  display_name     text check (char_length(display_name) between 1 and 100),
  handle           text check (char_length(handle) between 1 and 100),
  language         text check (language in ('en', 'id')),
  points_awarded   integer not null default 0 check (points_awarded >= 0),
  already_rewarded boolean not null default false,
  created_at       timestamptz not null default service_now(),
  expires_at       timestamptz not null,
  linked_at        timestamptz,
  ended_at         timestamptz,
  check (status not in ('ASKED', 'CONFIRMING', 'LINKED')
    or (account_id is not null and address is not null and language is not null)),
  check ((linked_at is not null) = (status in ('LINKED', 'UNLINKED'))),
  check ((ended_at is not null) = (status in ('REJECTED', 'EXPIRED', 'CONFLICT', 'UNLINKED')))
);
-- A new one ends the one before.
create unique index social_links_open on social_links (userx_id, platform)
  where status in ('PENDING', 'ASKED', 'CONFIRMING');
create unique index social_links_by_code on social_links (platform, code_mark)
  where status in ('PENDING', 'ASKED', 'CONFIRMING');
create index social_links_of_member on social_links (userx_id, serial desc);
create index social_links_by_expiry on social_links (expires_at)
  where status in ('PENDING', 'ASKED', 'CONFIRMING');
create index social_links_to_forget on social_links (ended_at) where account_id is not null and ended_at is not null;

-- A link goes onward only, and stays its member's and, once asked, its account's.
create function check_social_link() returns trigger language plpgsql as $$
begin
  if old.status <> new.status and not (
    (old.status = 'PENDING' and new.status in ('ASKED', 'EXPIRED', 'CONFLICT'))
    or (old.status = 'ASKED' and new.status in ('CONFIRMING', 'REJECTED', 'EXPIRED'))
    or (old.status = 'CONFIRMING' and new.status in ('LINKED', 'REJECTED', 'EXPIRED', 'CONFLICT'))
    or (old.status = 'LINKED' and new.status = 'UNLINKED'))
  then
    raise exception 'link % does not go from % to %', old.link_id, old.status, new.status
      using errcode = 'check_violation', constraint = 'social_links_onward';
  end if;
  if (old.userx_id, old.platform, old.code_mark) is distinct from (new.userx_id, new.platform, new.code_mark)
    or (old.account_id is not null and new.account_id is not null and old.account_id <> new.account_id)
  then
    raise exception 'link % stays whose it is', old.link_id
      using errcode = 'check_violation', constraint = 'social_links_stay';
  end if;
  return new;
end $$;
create trigger social_links_checked before update on social_links
  for each row execute function check_social_link();

-- What is linked: an account once over all members, a member once at each platform.
create table social_accounts (
  platform   text not null check (platform in ('telegram', 'whatsapp')),
  account_id text not null,
  userx_id   integer not null references userx,
  link_id    uuid not null unique references social_links,
  primary key (platform, account_id),
  unique (userx_id, platform)
);

-- Who writes to our bots: when last, and how many wrong codes.
create table bot_writers (
  platform     text not null check (platform in ('telegram', 'whatsapp')),
  account_id   text not null,
  heard_at     timestamptz not null,
  -- By our clock: a message may have been on its way for days.
  seen_at      timestamptz not null,
  wrong_codes  integer not null default 0 check (wrong_codes >= 0),
  counted_from timestamptz not null,
  silent_until timestamptz,
  primary key (platform, account_id)
);
create index bot_writers_by_time on bot_writers (seen_at);

-- What a call of Telegram was answered, for the call that is made again because its answer got lost.
create table bot_replies (
  update_id  text primary key,
  reply      jsonb not null,
  created_at timestamptz not null default service_now()
);
create index bot_replies_by_time on bot_replies (created_at);
