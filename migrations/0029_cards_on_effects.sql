-- What became of an open card transaction is asked by its effect (0026), which knows when to ask again.
insert into effects (kind, id, opened_at, calls, steps)
select 'card', reference_id, traced_at, 1,
       jsonb_build_array(jsonb_build_object('at', traced_at, 'step', 'begin'))
from card_transactions
where state = 'PENDING' and not simulated
on conflict (kind, id) do nothing;

-- Its index and its constraint go with it.
alter table card_transactions drop column look_at;
