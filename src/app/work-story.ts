import { findByReference } from '#chains/evm/port.ts';
import { run } from '#kernel/db/db.ts';
import type { AnyEffect } from '#kernel/effects/effect.ts';
import type { EffectRow } from '#kernel/effects/effect-store.ts';
import type { Received } from '#kernel/effects/inbox-store.ts';
import type { SagaRow } from '#kernel/effects/saga-store.ts';
import type { Kernel } from '#kernel/kernel.ts';

/** The whole story of one thing that is or was under way. */
export type Story =
  | {
      readonly what: 'effect';
      readonly effect: EffectRow;
      /** The row that it is about. */
      readonly intent: unknown;
      readonly postings: readonly object[];
      readonly transactions: readonly object[];
    }
  | {
      readonly what: 'flow';
      readonly flow: SagaRow;
      readonly path: readonly object[];
      readonly events: readonly object[];
      readonly effects: readonly EffectRow[];
      readonly postings: readonly object[];
    }
  | { readonly what: 'inbox'; readonly received: Received };

const MOST = 50;

/** Everything with that id, or an effect by `kind id` where several kinds have one of it. */
export async function storiesOf(
  { db, sagas }: Kernel,
  known: readonly AnyEffect[],
  name: string,
): Promise<Story[]> {
  const effects = await run<EffectRow>(
    db,
    `select * from effects where id = $1 or kind || ' ' || id = $1 order by opened_at limit $2`,
    [name, MOST],
  );
  const inbound = await run<Received>(
    db,
    `select * from inbox where id = $1 or source || ' ' || id = $1 limit $2`,
    [name, MOST],
  );
  const flow = await sagas.find(db, name);
  return [
    ...(await Promise.all(effects.map((effect) => storyOfEffect({ db }, known, effect)))),
    ...(flow ? [await storyOfFlow({ db }, flow)] : []),
    ...inbound.map((received): Story => ({ what: 'inbox', received })),
  ];
}

type StoryDeps = Pick<Kernel, 'db'>;

async function storyOfEffect(
  { db }: StoryDeps,
  known: readonly AnyEffect[],
  effect: EffectRow,
): Promise<Story> {
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

async function storyOfFlow({ db }: StoryDeps, flow: SagaRow): Promise<Story> {
  return {
    what: 'flow',
    flow,
    path: await run<object>(
      db,
      `select version, state, entered_at from saga_log where saga_id = $1 order by version`,
      [flow.id],
    ),
    events: await run<object>(
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
const postingsOf = ({ db }: StoryDeps, names: readonly string[]): Promise<object[]> =>
  run(
    db,
    `select t.operation_key, t.kind, t.created_at,
       (select jsonb_agg(jsonb_build_object('account', a.owner || ' ' || a.purpose,
          'asset', a.asset, 'amount', e.amount::text, 'held', e.held_delta::text))
        from ledger.entries e join ledger.accounts a using (account_id)
        where e.transfer_id = t.transfer_id) as entries
     from ledger.transfers t
     where exists (
       select from unnest($1::text[]) n (name)
       where t.operation_key = n.name
          or (t.operation_key >= n.name || ':' and t.operation_key < n.name || ';'))
     order by t.transfer_id limit $2`,
    [names, MOST],
  );
