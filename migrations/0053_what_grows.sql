-- Nothing that people ask for costs more because there are many of them, or because much has happened.

-- What has served its time is found by when that is, and deleted in batches.
create index login_failures_old on login_failures (at);
create index login_challenges_old on login_challenges (expires_at);
create index login_challenges_of_user on login_challenges (user_id);
create index user_otps_old on user_otps (expires_at);
create index user_links_old on user_links (expires_at);
create index sessions_old on sessions (expires_at);
create index userx_email_codes_old on userx_email_codes (expires_at);

-- Admins are few among many, and listed alone.
create index users_admins on users (user_id desc) where role = 'admin';
create index users_admins_of_client on users (client_id, user_id desc) where role = 'admin';

-- What admins did, by what it was; and nothing asks for what anybody did, or what was done to whom.
create index activity_of_admins_by_action on activity_log (action, id desc)
  where actor_role = 'admin';
create index activity_of_admins_of_client_by_action on activity_log (client_id, action, id desc)
  where actor_role = 'admin';
drop index activity_of_client;
drop index activity_of_subject;

-- Open sessions without those that have ended, however many those are.
create index sessions_open on sessions (user_id, expires_at desc, created_at desc, session_id desc)
  where user_id is not null and revoked_at is null;
create index sessions_open_of_userx on sessions (userx_id, expires_at desc)
  where userx_id is not null and revoked_at is null;
drop index sessions_of_user;
drop index sessions_of_userx;

create index instances_newest on instances (client_id, instance_id desc);

drop index userx_invited;
create index userx_invited on userx (inviter_id, userx_id desc)
  where inviter_id is not null and userx_status <> 'DELETED';

-- The highest number of a month is at one end of it.
create index clients_numbered on clients (left(client_code, 10), (substr(client_code, 11)::int) desc);
drop index clients_by_code;

-- The answer makes the row longer, which should find room where it is.
alter table idempotency_keys set (fillfactor = 60);
alter table api_keys set (fillfactor = 90);

-- Counts that are kept, not counted: of a subject, how many there are of what. Changes are only added,
-- so that nobody who makes one waits for another, and are folded in every minute; both together are the
-- count at any moment. What is counted by the hour or day is forgotten after `until`.
create table tallies (
  subject text not null check (length(subject) between 1 and 100),
  what    text not null check (length(what) between 1 and 100),
  n       bigint not null,
  until   timestamptz,
  primary key (subject, what)
) with (fillfactor = 70);
create index tallies_old on tallies (until) where until is not null;
create table tally_changes (
  change_id bigint generated always as identity primary key,
  subject   text not null,
  what      text not null,
  n         bigint not null,
  until     timestamptz
);
create index tally_changes_of on tally_changes (subject);

create function tally(subject text, what text, n bigint, until timestamptz default null)
returns void language sql as $$
  insert into tally_changes (subject, what, n, until) select subject, what, n, until
   where until is null or until > service_now()
$$;

-- Members of the rewards app, deleted ones not counted.
create function tally_member() returns trigger language plpgsql as $$
declare
  n integer := 0;
begin
  if tg_op <> 'INSERT' and old.userx_status <> 'DELETED' then n := n - 1; end if;
  if tg_op <> 'DELETE' and new.userx_status <> 'DELETED' then n := n + 1; end if;
  if n <> 0 then perform tally('rewards', 'members', n); end if;
  return null;
end $$;
create trigger members_tallied after insert or delete or update of userx_status on userx
  for each row execute function tally_member();
insert into tallies (subject, what, n)
  select 'rewards', 'members', count(*) from userx where userx_status <> 'DELETED';

-- All steps so far, with each step.
alter table wishlist_growth add column total bigint;
update wishlist_growth g set total = s.total
  from (select hour, sum(increment) over (order by hour) as total from wishlist_growth) s
 where s.hour = g.hour;
alter table wishlist_growth alter column total set not null;

-- External log-ins of a client and of all: how many, how many of each method, how many users (who have
-- one primary each), and how many were new each day and last used each hour.
create function tally_ext_mapping(m ext_mappings, sign integer) returns void language plpgsql as $$
declare
  subject text;
  client integer;
  hour timestamptz := date_trunc('hour', m.last_used, 'UTC');
  day timestamptz := date_trunc('day', m.connected_at, 'UTC');
begin
  select client_id into client from users where user_id = m.user_id;
  foreach subject in array array['extauth', 'extauth of ' || client] loop
    perform tally(subject, 'accounts', sign);
    perform tally(subject, 'method ' || m.auth_provider, sign);
    if m.is_primary then perform tally(subject, 'primaries', sign); end if;
    perform tally(subject, 'used ' || to_char(hour at time zone 'UTC', 'YYYY-MM-DD"T"HH24'), sign,
      hour + interval '8 days');
    perform tally(subject, 'new ' || to_char(day at time zone 'UTC', 'YYYY-MM-DD'), sign,
      day + interval '32 days');
  end loop;
end $$;
create function tally_ext_mappings() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform tally_ext_mapping(old, -1); end if;
  if tg_op <> 'DELETE' then perform tally_ext_mapping(new, 1); end if;
  return null;
end $$;
create trigger ext_mappings_tallied after insert or delete on ext_mappings
  for each row execute function tally_ext_mappings();
-- Most log-ins come in an hour in which there was one, and change no count.
create trigger ext_mappings_tallied_anew after update on ext_mappings for each row
  when (old.is_primary <> new.is_primary
    or date_trunc('hour', old.last_used, 'UTC') <> date_trunc('hour', new.last_used, 'UTC'))
  execute function tally_ext_mappings();
do $$
declare m ext_mappings;
begin
  for m in select * from ext_mappings loop perform tally_ext_mapping(m, 1); end loop;
end $$;
