import { findByReference } from '#chains/evm/port.ts';
import type { FlowEvent, Posting, WorkHistory } from '#features/messaging/payments/payments.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { AnyEffect } from '#kernel/effects/effect.ts';
import type { EffectRow } from '#kernel/effects/effect-store.ts';
import type { ReceivedEvent } from '#kernel/effects/inbox-store.ts';
import type { SagaRow } from '#kernel/effects/saga-store.ts';
import type { Kernel } from '#kernel/kernel.ts';

const MOST = 50;

/** Where something may be, besides the flows. */
export interface Kinds {
  readonly effects: readonly AnyEffect[];
  readonly sources: readonly string[];
}

/** Everything with that id, or an effect by `kind id` where several kinds have one of it. */
export async function storiesOf(
  { db, sagas }: Pick<Kernel, 'db' | 'sagas'>,
  known: Kinds,
  name: string,
): Promise<WorkHistory[]> {
  const [kinds, effectId] = among(
    known.effects.map(({ kind }) => kind),
    name,
  );
  const effects = await run<EffectRow>(
    db,
    'select * from effects where kind = any($1) and id = $2 order by opened_at limit $3',
    [kinds, effectId, MOST],
  );
  const [sources, inboundId] = among(known.sources, name);
  const inbound = await run<ReceivedEvent>(
    db,
    'select * from inbox where source = any($1) and id = $2 limit $3',
    [sources, inboundId, MOST],
  );
  const flow = await sagas.find(db, name);
  const stories: WorkHistory[] = [];
  for (const effect of effects) stories.push(await storyOfEffect({ db }, known.effects, effect));
  if (flow) stories.push(await storyOfFlow({ db }, flow));
  return [...stories, ...inbound.map((received): WorkHistory => ({ what: 'inbox', received }))];
}

/** Of `kind id` the one kind, and of anything else all. */
function among(kinds: readonly string[], name: string): readonly [readonly string[], string] {
  const kind = kinds.find((one) => name.startsWith(`${one} `));
  return kind === undefined ? [kinds, name] : [[kind], name.slice(kind.length + 1)];
}

interface StoryDeps {
  readonly db: Db;
}

async function storyOfEffect(
  { db }: StoryDeps,
  known: readonly AnyEffect[],
  effect: EffectRow,
): Promise<WorkHistory> {
  const kind = known.find((one) => one.kind === effect.kind);
  const intent = await (kind?.find ? kind.find(db, effect.id) : kind?.open(db, effect.id));
  const names = (intent === undefined ? undefined : kind?.names?.(intent)) ?? [effect.id];
  return {
    what: 'effect',
    effect,
    intent,
    postings: await postingsOf({ db }, names),
    transactions: (await findByReference(db, names)).map(({ raw, ...shown }) => shown),
  };
}

async function storyOfFlow({ db }: StoryDeps, flow: SagaRow): Promise<WorkHistory> {
  return {
    what: 'flow',
    flow,
    path: await run(
      db,
      `select version, state, entered_at from saga_log where saga_id = $1 order by version`,
      [flow.id],
    ),
    events: await run<FlowEvent>(
      db,
      `select name, key, payload, received_at, consumed_version
       from saga_events where saga_id = $1 order by seq limit $2`,
      [flow.id, MOST],
    ),
    effects: await run<EffectRow>(
      db,
      `select * from effects
       where kind like 'saga.' || $1 || '.%'
         and id = any(select $2 || ':' || version from saga_log where saga_id = $2)
       order by opened_at limit $3`,
      [flow.type, flow.id, MOST],
    ),
    postings: await postingsOf({ db }, [flow.id]),
  };
}

/** By the names that operations have in the ledger: `<name>`, or `<name>:<part>`. */
export const postingsOf = ({ db }: StoryDeps, names: readonly string[]): Promise<Posting[]> =>
  run<Posting>(
    db,
    `select t.operation_key, t.kind, t.created_at,
       (select jsonb_agg(jsonb_build_object('account', a.owner || ' ' || a.purpose,
          'asset', a.asset, 'amount', e.amount::text, 'held', e.held_delta::text))
        from ledger.entries e join ledger.accounts a using (account_id)
        where e.transfer_id = t.transfer_id) as entries
     from (
       select distinct p.transfer_id from unnest($1::text[]) n (name) cross join lateral (
         (select transfer_id from ledger.transfers where operation_key = n.name)
         union all
         (select transfer_id from ledger.transfers
           where operation_key >= n.name || ':' and operation_key < n.name || ';'
           order by operation_key limit $2)) p
     ) found
     join ledger.transfers t using (transfer_id)
     order by t.transfer_id limit $2`,
    [names, MOST],
  );
