import { Type } from 'typebox';
import { requesterOf } from '#kernel/access/requester.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, flat, Id, oneOfWords, Timestamp, text } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { PhoneInput, requirePhone } from '#kernel/phone.ts';
import { type PhoneCodeDeps, sendPhoneCode, usePhoneCode } from './phone-codes.ts';
import { keepProven, LOG_IN } from './proven-phones.ts';
import { wishlistCount } from './wishlist.ts';

const endpoint = endpoints(flatEnvelope);

const Purpose = {
  ...explained(text(50), 'Any text, such as `login`: a code is good for its own purpose only'),
  examples: ['login'],
};

/** Contract, Authentication: requests of the rewards app before a log-in. */
export const openRoutes = (deps: PhoneCodeDeps & Pick<Kernel, 'config'>): Route[] => [
  endpoint('POST /xotp/request', {
    name: 'rewards.requestCode',
    auth: 'key',
    errors: ['PROVIDER_NOT_CONFIGURED', 'NUMBER_NOT_SERVED'],
    summary: 'Sends a one-time code by WhatsApp or SMS, valid for five minutes.',
    body: Type.Object({
      phone_number: PhoneInput,
      purpose: Purpose,
      channel: Type.Optional(explained(oneOfWords(['wa', 'sms']), 'Default: WhatsApp')),
    }),
    reply: { 200: flat({ message: Type.String(), otp_id: Id, expires_at: Timestamp }) },
    atomic: true,
    invalid: 'Phone number and purpose are required',
    fault: 'Failed to send OTP',
    async handler({ caller, body, db, request }) {
      const { purpose, channel = 'wa' } = body;
      const phone = requirePhone(
        body.phone_number,
        { dialCode: deps.config.REWARDS_DIAL_CODE },
        'phone_number',
      );
      const by = requesterOf(caller, request);
      const sent = await sendPhoneCode(deps, db, { phone, purpose }, { channel, by });
      return { message: 'OTP sent successfully', ...sent };
    },
  }),

  endpoint('POST /xotp/verify', {
    name: 'rewards.verifyCode',
    auth: 'key',
    errors: ['INVALID_CODE', 'CODE_EXPIRED'],
    summary: 'Verifies a one-time code, once, for the caller who requested it.',
    body: Type.Object({ phone_number: PhoneInput, purpose: Purpose, otp_code: text(32) }),
    reply: { 200: flat({ message: Type.String(), verified_at: Timestamp }) },
    invalid: 'Phone number, purpose and OTP code are required',
    fault: 'Failed to verify OTP',
    async handler({ caller, body, db, request }) {
      const { purpose, otp_code } = body;
      const phone = requirePhone(
        body.phone_number,
        { dialCode: deps.config.REWARDS_DIAL_CODE },
        'phone_number',
      );
      const by = requesterOf(caller, request);
      const sent = { phone, purpose, code: otp_code.trim(), by };
      const counts = deps.config.REWARDS_LOGIN_CODE === 'required' && purpose === LOG_IN;
      const used = await usePhoneCode(deps, db, sent, async (tx) => {
        if (counts) await keepProven(tx, deps, phone, by);
      });
      return { message: 'OTP verified successfully', ...used };
    },
  }),

  endpoint('GET /xwishlist/count', {
    name: 'rewards.countWaiting',
    auth: 'key',
    summary: 'How many people are on the waiting list.',
    reply: { 200: flat({ count: Type.Integer() }) },
    fault: 'Failed to count the wishlist',
    async handler({ db }) {
      return { count: await wishlistCount(db) };
    },
  }),
];
