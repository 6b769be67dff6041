import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Attempt, Attempts } from '#kernel/access/attempts.ts';
import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { inEachLanguage } from '#kernel/localised.ts';
import { type Owner, ownersOf } from './store.ts';
import { GUESS_TEXTS } from './texts.ts';

const DAY_MS = 24 * 3600_000;
/** As many wrong passwords within a day are no typing errors. */
const MANY = { failures: 20, withinMs: DAY_MS };
const ONCE_A_DAY = { failures: 1, withinMs: DAY_MS };

/** Counts a wrong password of each user, and mails owners of many, once a day to a mailbox. */
export async function notifyOwners(
  { attempts, messages }: { readonly attempts: Attempts; readonly messages: Messages },
  tx: Db,
  user_ids: readonly number[],
): Promise<void> {
  if (user_ids.length === 0) return;
  const wrong = user_ids.map((user_id) => counted(`wrong password:${user_id}`, MANY));
  const before = await attempts.waitsOf(tx, wrong);
  // The count stops there: a notified owner needs no further one.
  const few = wrong.filter((_, i) => before[i] === 0);
  if (few.length === 0) return;
  await attempts.recordFailure(tx, ...few);
  const after = await attempts.waitsOf(tx, wrong);
  const many = user_ids.filter((_, i) => before[i] === 0 && after[i] !== 0);
  if (many.length === 0) return;
  const owners = await ownersOf(tx, many);
  const mails = owners.map(({ email }) =>
    counted(`told of guesses:${email.toLowerCase()}`, ONCE_A_DAY),
  );
  const sent = await attempts.waitsOf(tx, mails);
  for (const [i, owner] of owners.entries()) {
    const mail = mails[i];
    if (sent[i] !== 0 || !mail) continue;
    await attempts.recordFailure(tx, mail);
    await notify(messages, tx, owner);
  }
}

const counted = (account: string, allowance: typeof MANY): Attempt => ({
  accounts: [account],
  allowance,
});

async function notify(messages: Messages, tx: Db, { user_id, email }: Owner): Promise<void> {
  await messages.send(tx, THE_SERVICE, {
    kind: 'notice',
    channel: 'email',
    to: email,
    purpose: 'password-guessed',
    user_id,
    words: inEachLanguage(GUESS_TEXTS, (words) => words(MANY.failures)),
  });
}
