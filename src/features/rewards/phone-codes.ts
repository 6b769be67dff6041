import type { Messages } from '#features/messages/messages.ts';
import { type Asker, askerMark } from '#kernel/access/asker.ts';
import { type Attempts, decide } from '#kernel/access/attempts.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { fail } from '#kernel/http/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newCode } from '#kernel/secrets/token.ts';
import { ours } from '#kernel/wording.ts';
import { guessesFrom, judge, type StoredCode } from './codes.ts';

/** Decisions, rewards: a phone code lives five minutes. */
const CODE_MINUTES = 5;

export type PhoneCodeDeps = Pick<Kernel, 'clock' | 'vault'> & {
  readonly messages: Messages;
  readonly attempts: Attempts;
};

/** What a code proves: that somebody holds that phone, for that purpose. */
export interface Proof {
  readonly phone: string;
  readonly purpose: string;
}

const receiverOf = ({ phone }: Proof): string => `phone code:${phone}`;
const contextOf = ({ phone, purpose }: Proof): string => `phone code:${phone}:${purpose}`;

export const CHANNELS = { wa: 'whatsapp', sms: 'sms' } as const;

/** Sends a code; one that the same asker had sent before is worth nothing from now on. */
export async function sendPhoneCode(
  { clock, vault, messages }: PhoneCodeDeps,
  tx: Db,
  proof: Proof,
  { channel, by }: { readonly channel: keyof typeof CHANNELS; readonly by: Asker },
): Promise<{ otp_id: number; expires_at: string }> {
  const { phone, purpose } = proof;
  messages.require(CHANNELS[channel]);
  const code = newCode();
  const expires = new Date(clock.now().getTime() + CODE_MINUTES * 60_000);
  const expires_at = expires.toISOString();
  const fingerprint = vault.fingerprint(code, contextOf(proof));
  const { otp_id } = await tx
    .insertInto('phone_codes')
    .values({ phone, purpose, asker: askerMark(by), fingerprint, expires_at })
    .onConflict((conflict) =>
      conflict.columns(['phone', 'purpose', 'asker']).doUpdateSet(({ ref }) => ({
        otp_id: ref('excluded.otp_id'),
        fingerprint: ref('excluded.fingerprint'),
        tries: 0,
        expires_at: ref('excluded.expires_at'),
      })),
    )
    .returning('otp_id')
    .executeTakeFirstOrThrow();
  await messages.send(tx, by, {
    kind: 'code',
    channel: CHANNELS[channel],
    to: phone,
    purpose: 'rewards-phone-code',
    // The purpose is the caller's text, so it is not repeated in what we send to a stranger.
    text: [
      `Your verification code, valid for ${CODE_MINUTES} minutes:`,
      ours(`Code: ${code}`),
      'Give it to nobody.',
    ],
    validUntil: expires,
  });
  return { otp_id, expires_at };
}

/**
 * Takes a code where it was asked for, once, and does `proven` in the same transaction. One answer for
 * every reason why it is refused.
 */
export function usePhoneCode(
  { clock, vault, attempts }: PhoneCodeDeps,
  db: Db,
  proof: Proof,
  { code, by }: { readonly code: string; readonly by: Asker },
  proven: (tx: Db) => Promise<void>,
): Promise<{ verified_at: string }> {
  const guesses = guessesFrom({ receivers: [receiverOf(proof)], ip: by.ip });
  const own = { ...proof, asker: askerMark(by) };
  return decide(db, async (tx) => {
    await attempts.admit(tx, ...guesses);
    const sent = await lockPhoneCode(tx, own);
    const now = clock.now();
    const verdict = judge(sent, vault.fingerprint(code, contextOf(proof)), now);
    if (verdict === 'wrong') {
      await countTry(tx, own);
      await attempts.fail(tx, ...guesses);
    }
    if (verdict !== 'right') return fail('INVALID_CODE', 'Invalid or expired OTP');
    await tx
      .deleteFrom('phone_codes')
      .where('phone', '=', own.phone)
      .where('purpose', '=', own.purpose)
      .where('asker', '=', own.asker)
      .execute();
    await proven(tx);
    return { verified_at: now.toISOString() };
  });
}

interface OwnCode extends Proof {
  readonly asker: string;
}

const lockPhoneCode = (
  tx: Db,
  { phone, purpose, asker }: OwnCode,
): Promise<StoredCode | undefined> =>
  tx
    .selectFrom('phone_codes')
    .where('phone', '=', phone)
    .where('purpose', '=', purpose)
    .where('asker', '=', asker)
    .forUpdate()
    .select(['fingerprint', 'tries', 'expires_at'])
    .executeTakeFirst();

const countTry = (tx: Db, { phone, purpose, asker }: OwnCode) =>
  run(
    tx,
    `update phone_codes set tries = tries + 1 where phone = $1 and purpose = $2 and asker = $3`,
    [phone, purpose, asker],
  );
