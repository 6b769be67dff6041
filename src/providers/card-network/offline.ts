import { hash } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import { APPROVED } from './action-codes.ts';
import { openCard } from './card.ts';
import { MERCHANT } from './merchant.ts';
import { type CardNetwork, type CardNetworkMovement, earliestMonth, type Trace } from './port.ts';
import { decideCharge, decideCredit, decideValidation } from './test-cards.ts';
import { dateTime, declined } from './wire.ts';

/**
 * The card network of mock mode: settles at once according to the test cards, and sends nothing.
 * It stores nothing either, so it answers the same again and finds nothing.
 */
export function offlineNetwork(clock: Pick<Clock, 'now'>): CardNetwork {
  const month = () => earliestMonth(clock.now());
  return {
    async validate({ card }) {
      const { number, expiry = '', cvv } = openCard(card);
      const code = decideValidation(number, expiry, month());
      if (code !== NO_REASON) return declined(code);
      return done({ cvv: cvv === undefined ? 'unchecked' : 'match', merchant: MERCHANT });
    },
    async pull({ card, trace }) {
      const { number, expiry } = openCard(card);
      return moved(decideCharge(number, expiry, month()), trace);
    },
    push: async ({ card, trace }) => moved(decideCredit(openCard(card).number), trace),
    reverse: async ({ trace }) => moved(APPROVED, trace),
    find: async () => done(undefined),
    statement: async () => unknown('The network is not asked in mock mode'),
  };
}

/** No reason to decline: an issuer's approval of a query about a card. */
const NO_REASON = '85';

function moved(code: string, trace: Trace): Outcome<CardNetworkMovement> {
  if (code !== APPROVED) return declined(code);
  return done({
    transactionIdentifier: digits(`identifier ${trace.rrn}`, 15),
    approvalCode: digits(`approval ${trace.rrn}`, 6),
    transmittedAt: dateTime(trace.at),
  });
}

/** As random as a hash, and the same again for the same text. At most 15 digits. */
function digits(text: string, length: number): string {
  const number = Number.parseInt(hash('sha256', text).slice(0, HEX_DIGITS), 16);
  return String(number % 10 ** length).padStart(length, '0');
}
/** A number of 52 bits is exact. */
const HEX_DIGITS = 13;
