-- In which role somebody did it. The log holds every top-up and send, too; what admins did is found
-- among them without reading the others.
alter table activity_log add column actor_role text;

-- By trigger, so that no writer can leave it out, a process of the version before neither.
create function note_actor_role() returns trigger language plpgsql as $$
begin
  select role into new.actor_role from users where user_id = new.actor_user_id;
  return new;
end $$;
create trigger actor_role_noted before insert on activity_log
  for each row when (new.actor_user_id is not null)
  execute function note_actor_role();

-- Earlier ones by the role of today, as they were listed so far; those of users, which nothing asks for
-- and which are the many, are left as they are.
update activity_log a set actor_role = u.role
  from users u where u.user_id = a.actor_user_id and u.role = 'admin';

create index activity_of_admins_of_client on activity_log (client_id, id desc)
  where actor_role = 'admin';
create index activity_of_admins on activity_log (id desc) where actor_role = 'admin';
