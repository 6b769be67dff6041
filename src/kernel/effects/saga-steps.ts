import type { Db } from '#kernel/db/db.ts';
import { type JobAnswer, LostClaim } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import { textOf } from '../jobs/text-of.ts';
import { type AnyEffect, defineEffect } from './effect.ts';
import {
  type CallContext,
  type Machine,
  type Saga,
  type StepState,
  stateOf,
  type WaitState,
} from './saga-machine.ts';
import { enter, kindFor, type SagaRunner, type Wake } from './saga-runner.ts';
import { findSaga, lockSaga, type SagaRow, takeEvent } from './saga-store.ts';

const ERROR_MAX = 500;

/** The job's end within the transaction of the move; nothing where no job moves it. */
type Settle = ((tx: Db) => Promise<void>) | undefined;

/** The effects of a machine: one for each state that calls something. */
export function effectsOf(
  runner: () => SagaRunner,
  { type, states }: Machine<object>,
): Map<string, AnyEffect> {
  const effects = new Map<string, AnyEffect>();
  for (const [name, state] of Object.entries(states))
    if ('call' in state) effects.set(name, effectOf(runner, `${type}.${name}`, state));
  return effects;
}

function effectOf(runner: () => SagaRunner, name: string, state: StepState<object>): AnyEffect {
  const { call, lookUp, repeatable = true, unseen, pauses, concurrency } = state;
  const contextOf = (saga: SagaRow, { isInline, signal }: Omit<CallContext, 'key'>) => ({
    key: state.key?.(saga) ?? `${saga.id}:${saga.state}`,
    isInline,
    signal,
  });
  return defineEffect<SagaRow, unknown, unknown>({
    kind: `saga.${name}`,
    repeatable,
    ...(unseen && { unseen }),
    ...(pauses && { pauses }),
    ...(concurrency !== undefined && { concurrency }),
    async open(db, id) {
      const cut = id.lastIndexOf(':');
      const saga = await findSaga(db, id.slice(0, cut));
      return saga?.version === Number(id.slice(cut + 1)) ? saga : undefined;
    },
    call: async (saga, attempt) => {
      if (!call) throw new Error(`${name} calls nothing`);
      return call.call(state, saga, contextOf(saga, attempt));
    },
    ...(lookUp && {
      lookUp: (saga, attempt) => lookUp.call(state, saga, contextOf(saga, attempt)),
    }),
    settle: async (tx, saga, result) => {
      const mine = await lockVersion(tx, saga);
      if (!mine) throw new LostClaim(saga.id);
      await applyAndEnter(runner(), tx, mine, { state, result });
    },
    refuse: async (tx, saga, why) => {
      const mine = await lockVersion(tx, saga);
      if (!mine) throw new LostClaim(saga.id);
      const { onRefused = state.next } = state;
      const to = typeof onRefused === 'function' ? onRefused(mine, why) : onRefused;
      await enter(runner(), tx, mine, {
        to,
        error: textOf(`${why.code}: ${why.message}`, ERROR_MAX),
      });
      return undefined;
    },
  });
}

async function lockVersion(tx: Db, { id, version }: Saga): Promise<SagaRow | undefined> {
  const saga = await lockSaga(tx, id);
  return saga?.version === version ? saga : undefined;
}

async function applyAndEnter(
  runner: SagaRunner,
  tx: Db,
  saga: SagaRow,
  { state, result }: { readonly state: StepState<object>; readonly result: unknown },
): Promise<void> {
  const patch = await state.apply?.(tx, saga, result);
  const next = { ...saga, data: { ...saga.data, ...patch } };
  const to = typeof state.next === 'string' ? state.next : state.next(next, result);
  await enter(runner, tx, next, { to });
}

/** Moves a saga on from a state that calls nothing. An error thrown here is a failed attempt. */
export async function moveFlow(
  runner: SagaRunner,
  { id, version }: Wake,
  settle: Settle,
): JobAnswer {
  const saga = await findSaga(runner.db, id);
  if (!saga || saga.version !== version || saga.finished) return undefined;
  const state = stateOf(kindFor(runner, saga.type).machine, saga.state);
  if ('final' in state) return undefined;
  if ('wait' in state) return decide(runner, saga, state, settle);
  // A step that calls has an effect, which moves it.
  if (state.call) return undefined;
  return transact(runner.db, async (tx) => {
    const mine = await lockVersion(tx, saga);
    if (!mine) return undefined;
    await applyAndEnter(runner, tx, mine, { state, result: undefined });
    await settle?.(tx);
    return undefined;
  });
}

async function decide(
  runner: SagaRunner,
  read: SagaRow,
  state: WaitState<object>,
  settle: Settle,
): JobAnswer {
  return transact(runner.db, async (tx) => {
    const saga = await lockVersion(tx, read);
    if (!saga) return undefined;
    const event = await takeEvent(tx, saga, state.wait);
    const due = new Date(saga.due_at ?? 0);
    if (!event && due > runner.clock.now()) return { again: due };
    const patch = await state.apply?.(tx, saga, event?.payload);
    const next = { ...saga, data: { ...saga.data, ...patch } };
    const { onEvent, onTimeout } = state;
    const taken = () => (typeof onEvent === 'string' ? onEvent : onEvent(next, event?.payload));
    await enter(runner, tx, next, { to: event ? taken() : onTimeout });
    await settle?.(tx);
    return undefined;
  });
}
