-- Stopping clients and people by an endpoint (docs/decisions/0068).

-- What they were before, whoever has stopped them and however; null for who is let in.
alter table clients add column status_before_stop text;
alter table users add column status_before_stop text;

create function remember_client_status() returns trigger language plpgsql as $$
begin
  new.status_before_stop := case when client_is_open(old.client_status) then old.client_status end;
  return new;
end $$;
create trigger clients_stopped before update of client_status on clients
  for each row when (client_is_open(old.client_status) is distinct from client_is_open(new.client_status))
  execute function remember_client_status();

create function remember_user_status() returns trigger language plpgsql as $$
begin
  new.status_before_stop := case when old.user_status <> 'INACTIVE' then old.user_status end;
  return new;
end $$;
create trigger users_stopped before update of user_status on users
  for each row when ((old.user_status = 'INACTIVE') is distinct from (new.user_status = 'INACTIVE'))
  execute function remember_user_status();

-- Each time that a client or a person was stopped or let in, by whom and why. The last one says how it stands.
create table stops (
  stop_id     bigint generated always as identity primary key,
  client_id   integer references clients on delete cascade,
  user_id     integer references users on delete cascade,
  what        text not null check (what in ('stopped', 'let_in')),
  reason      text not null check (length(reason) <= 500),
  by_user_id  integer not null,
  -- What the operator has stopped, a client's admins do not let in.
  by_operator boolean not null,
  at          timestamptz not null,
  constraint stops_of_one check (num_nonnulls(client_id, user_id) = 1)
);
create index stops_of_client on stops (client_id, stop_id) where client_id is not null;
create index stops_of_user on stops (user_id, stop_id) where user_id is not null;
