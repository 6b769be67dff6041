import { run } from '#kernel/db/db.ts';
import { fieldOf } from '../clients/answer.ts';
import { answerOf, type Books, type Entry } from '../clients/books.ts';
import type { Finding } from './findings.ts';
import { match } from './match.ts';
import type { Sent } from './sends.ts';
import type { World } from './world.ts';

/** Confirmed and executed actions of the agent: by receiver, with their cost. */
export type TalksSeen = readonly { readonly to: string; readonly fee: string }[];

export async function readTalks({ db }: World): Promise<TalksSeen> {
  return run<{ to: string; fee: string }>(
    db,
    `select lower(parameters ->> 'to_address') as to,
       coalesce(result -> 'transaction' ->> 'platform_fee', '0') as fee
     from agent_confirmations where status = 'DONE'`,
    [],
  );
}

/** Every action reported as done is done, once, and no action is done without a yes. */
export function checkTalks(books: Books, seen: TalksSeen): Finding[] {
  const done = new Set(seen.map(({ to }) => to));
  const wishes = Map.groupBy(books.done('talk'), ({ effect }) => effect.to);
  const expected = [...wishes].flatMap(([to, yeses]) => {
    const isKnown = yeses.some(isCompleted);
    // A lost answer is not repeated, and one that says "on its way" may end either way.
    const isPossible = done.has(to) && yeses.some((entry) => !isRefused(entry));
    return isKnown || isPossible ? [{ key: yeses[0]?.operation.key ?? '', name: to }] : [];
  });
  return match(
    'agent',
    expected,
    seen.map(({ to }) => to),
  );
}

const answered = (entry: Entry, field: string): unknown =>
  fieldOf(answerOf(entry), `agent_response.${field}`);
const isCompleted = (entry: Entry): boolean => answered(entry, 'completed') === true;
/** No confirmation waits for that yes, or it needs the digits as well. */
const isRefused = (entry: Entry): boolean => answered(entry, 'requires_input') === true;

/** As sends, which they are on the chains. */
export const sentByTalk = (books: Books, seen: TalksSeen): Sent[] => {
  const fees = new Map(seen.map(({ to, fee }) => [to, fee]));
  const wishes = new Map(books.done('talk').map((entry) => [entry.effect.to, entry]));
  return [...wishes].flatMap(
    ([
      to,
      {
        operation: { key },
        effect,
      },
    ]) => {
      const fee = fees.get(to);
      return fee === undefined ? [] : [{ ...effect, key, fee }];
    },
  );
};
