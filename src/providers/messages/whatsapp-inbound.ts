import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { parsed } from '#kernel/provider-call.ts';
import type { BotAccount, BotNews } from './port.ts';
import { shownName } from './shown-name.ts';

const ID = '^[\\x21-\\x7e]{1,190}$';
const PHONE = '^[1-9]\\d{4,14}$';
/** A person at one business: a country and up to 128 letters and digits, in two parts where it is its parent's. */
const SCOPED = '^[A-Z]{2}(\\.ENT)?\\.[A-Za-z0-9]{1,128}$';

const Inbound = Type.Object({
  id: Type.String({ pattern: ID }),
  /** Missing where the person has a username and shows no number. */
  from: Type.Optional(Type.String({ pattern: PHONE })),
  from_user_id: Type.Optional(Type.String({ pattern: SCOPED })),
  /** Seconds since 1970. */
  timestamp: Type.String({ pattern: '^\\d{1,11}$' }),
  type: Type.String(),
  group_id: Type.Optional(Type.String()),
  text: Type.Optional(Type.Object({ body: Type.String() })),
  interactive: Type.Optional(
    Type.Object({ button_reply: Type.Optional(Type.Object({ id: Type.String() })) }),
  ),
  context: Type.Optional(
    Type.Object({
      forwarded: Type.Optional(Type.Boolean()),
      frequently_forwarded: Type.Optional(Type.Boolean()),
    }),
  ),
});
type Inbound = Static<typeof Inbound>;

const Contact = Type.Object({
  wa_id: Type.Optional(Type.String()),
  user_id: Type.Optional(Type.String()),
  profile: Type.Optional(
    Type.Object({
      name: Type.Optional(Type.String()),
      username: Type.Optional(Type.String()),
    }),
  ),
});
type Contact = Static<typeof Contact>;

/** The part of a webhook in which people write; each message is looked at by itself. */
const Webhook = Type.Object({
  object: Type.Literal('whatsapp_business_account'),
  entry: Type.Array(
    Type.Object({
      changes: Type.Array(
        Type.Object({
          value: Type.Object({
            messages: Type.Optional(Type.Array(Type.Unknown())),
            contacts: Type.Optional(Type.Array(Type.Unknown())),
          }),
        }),
      ),
    }),
  ),
});

/** What people have written to our number, in the words of the Cloud API. */
export function whatsAppInbound(raw: Uint8Array): readonly BotNews[] {
  const webhook = parsed(Buffer.from(raw).toString('utf8'));
  if (!Value.Check(Webhook, webhook)) return [];
  return webhook.entry.flatMap(({ changes }) =>
    changes.flatMap(({ value: { messages = [], contacts = [] } }) => {
      const people = contacts.filter((one): one is Contact => Value.Check(Contact, one));
      return messages.flatMap((message) => {
        const news = Value.Check(Inbound, message) ? newsIn(message, people) : undefined;
        return news === undefined ? [] : [news];
      });
    }),
  );
}

/** Kinds that a person does not write: a changed number, and what the platform has to say. */
const NOT_WRITTEN = new Set(['system', 'reaction', 'errors']);

function newsIn(message: Inbound, people: readonly Contact[]): BotNews | undefined {
  const { id: name, type, context = {}, timestamp, text, interactive } = message;
  const account = accountOf(message, people);
  if (account === undefined || NOT_WRITTEN.has(type)) return undefined;
  const facts = { name, account, at: new Date(Number(timestamp) * 1000) };
  if (message.group_id !== undefined) return { ...facts, kind: 'unread', why: 'group' };
  if (type === 'edit') return { ...facts, kind: 'unread', why: 'edited' };
  if (context.forwarded === true || context.frequently_forwarded === true)
    return { ...facts, kind: 'unread', why: 'forwarded' };
  const button = interactive?.button_reply?.id;
  if (type === 'interactive' && button !== undefined)
    return { ...facts, kind: 'press', button, press: name };
  if (type === 'text' && text) return { ...facts, kind: 'text', text: text.body };
  return { ...facts, kind: 'unread', why: 'media' };
}

/** By the id that stays when they change their number, where the platform says it. */
function accountOf(message: Inbound, people: readonly Contact[]): BotAccount | undefined {
  const { from, from_user_id: scoped } = message;
  const id = scoped ?? from;
  if (id === undefined) return undefined;
  const person = people.find(
    ({ user_id, wa_id }) =>
      (scoped !== undefined && user_id === scoped) || (from !== undefined && wa_id === from),
  );
  const username = person?.profile?.username;
  return {
    id,
    address: from ?? id,
    name: shownName(person?.profile?.name ?? ''),
    handle: from === undefined ? handleOf(username) : `+${from}`,
    language: languageOf(from ?? id),
  };
}

const handleOf = (username: string | undefined): string | undefined =>
  username !== undefined && /^@?[\w.]{1,40}$/.test(username)
    ? `@${username.replace(/^@/, '')}`
    : undefined;

/** The platform says nothing of a person's language, but the country is in the number and in the id. */
const languageOf = (id: string): string => (/^(62|ID\.)/.test(id) ? 'id' : 'en');
