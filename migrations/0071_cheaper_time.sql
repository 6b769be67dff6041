-- The service's time for statements that are asked often (docs/decisions/0059): of a view it becomes a part of their plan. The function is
-- planned anew whenever it is called with another search path than before, as from here and from outside in turn.
create view service_time as
select now() + coalesce(
  (select value::float8 from service_state where name = 'clock_offset_ms'), 0
) * interval '1 millisecond' as at;
create or replace function service_now() returns timestamptz language sql stable parallel safe
return (select at from service_time);
