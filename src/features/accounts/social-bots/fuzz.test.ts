import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { socialBots } from '#test/social.ts';

const h = await harness({ mock: false });
const people = socialBots(h);
const RUNS = { numRuns: 150 };

/** Bytes that a right sender has signed, whatever they are. */
const send = (platform: 'telegram' | 'whatsapp', raw: string) => {
  const digest = createHmac('sha256', 'sandbox-whatsapp-app-secret').update(raw).digest('hex');
  return h.call(`POST /socialbot/${platform}/webhook`, {
    as: 'nobody',
    body: raw,
    headers: {
      'content-type': 'application/json',
      'x-telegram-bot-api-secret-token': 'sandbox-telegram-webhook-secret',
      'x-hub-signature-256': `sha256=${digest}`,
    },
  });
};
const states = () => h.db.selectFrom('social_links').select(['link_id', 'status']).execute();

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '\u0000',
    '\ud800',
    'y.sbl_',
    'n.sbl_06f4t3xet5c77bsdh7wedf8g8s',
    'ABCD2345',
    '/start ',
  ),
);
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(1e300, -0, 2 ** 53));
const any = fc.oneof(
  word,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.array(word, { maxLength: 2 }),
);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.oneof({ weight: 5, arbitrary: value }, any);

const person = fc.record({
  id: maybe(fc.integer({ min: 1, max: 9e9 })),
  is_bot: maybe(fc.boolean()),
  first_name: maybe(word),
  username: maybe(word),
  language_code: maybe(word),
});
const update = fc.record(
  {
    update_id: maybe(fc.integer({ min: 1, max: 9e9 })),
    message: maybe(
      fc.record({
        message_id: number,
        date: number,
        from: maybe(person),
        chat: maybe(
          fc.record({ id: maybe(number), type: maybe(fc.constantFrom('private', 'group')) }),
        ),
        text: maybe(word),
      }),
    ),
    callback_query: maybe(fc.record({ id: maybe(word), from: maybe(person), data: maybe(word) })),
    edited_message: any,
  },
  { requiredKeys: ['update_id'] },
);
const inbound = fc.record({
  object: maybe(fc.constant('whatsapp_business_account')),
  entry: maybe(
    fc.array(
      fc.record({
        changes: maybe(
          fc.array(
            fc.record({
              value: maybe(
                fc.record({
                  messages: maybe(
                    fc.array(
                      fc.record({
                        id: maybe(word),
                        from: maybe(fc.constantFrom('6281200001111', '1', 'abc')),
                        from_user_id: maybe(word),
                        timestamp: maybe(fc.constantFrom('1', '99999999999', '-1', 'x')),
                        type: maybe(fc.constantFrom('text', 'interactive', 'image')),
                        text: maybe(fc.record({ body: maybe(word) })),
                        interactive: maybe(
                          fc.record({ button_reply: maybe(fc.record({ id: maybe(word) })) }),
                        ),
                      }),
                      { maxLength: 3 },
                    ),
                  ),
                  contacts: any,
                  statuses: any,
                }),
              ),
            }),
            { maxLength: 2 },
          ),
        ),
      }),
      { maxLength: 2 },
    ),
  ),
});

test('whatever Telegram’s calls hold, they are taken and no link is changed', async () => {
  await people.asked(await people.member(), people.telegram());
  const before = await states();
  const body = fc.oneof(
    update.map((one) => JSON.stringify(one)),
    word,
    fc.json(),
  );
  await fc.assert(
    fc.asyncProperty(body, async (raw) => {
      expect((await send('telegram', raw))[0]).toBe(200);
    }),
    RUNS,
  );
  await h.drain();
  expect(await states()).toEqual(before);
});

test('whatever WhatsApp’s calls hold, they are taken and no link is changed', async () => {
  await people.asked(await people.member(), people.phone());
  const before = await states();
  const body = fc.oneof(
    inbound.map((one) => JSON.stringify(one)),
    word,
    fc.json(),
  );
  await fc.assert(
    fc.asyncProperty(body, async (raw) => {
      expect((await send('whatsapp', raw))[0]).toBe(200);
    }),
    RUNS,
  );
  await h.drain();
  expect(await states()).toEqual(before);
  const open = await h.db
    .selectFrom('inbox')
    .select('id')
    .where('processed_at', 'is', null)
    .execute();
  expect(open).toEqual([]);
});
