import { createHash, randomBytes } from 'node:crypto';
import type { World } from '#sandbox/simulator.ts';
import { keepEntry } from './chats.ts';
import type { Pressed, Written } from './people.ts';
import { deliverWhatsApp, type WhatsAppConfig } from './whatsapp-webhooks.ts';

const PROVIDER = 'whatsapp';

/** When a person wrote last: plain messages reach them for a day after. */
export interface WhatsAppPerson {
  readonly heard: number;
  readonly name: string;
}

const A_DAY_S = 86_400;
export async function isWindowOpen({ records, clock }: World, number: string): Promise<boolean> {
  const person = await records.get<WhatsAppPerson>(PROVIDER, 'person', number);
  return person !== undefined && clock.seconds() - person.heard < A_DAY_S;
}

/** The id of a person at this business: a country, a dot and a number. */
const scopedId = (number: string): string => {
  const digits = createHash('sha256').update(number).digest().readBigUInt64BE();
  return `${number.startsWith('62') ? 'ID' : 'US'}.${digits}`;
};

/** A person writes to the number of the business. */
export const writeOnWhatsApp = async (
  world: World,
  config: WhatsAppConfig,
  { from, name, text, kind, username, language: _, ...rest }: Written,
): Promise<boolean> => {
  await keepEntry(world, { platform: PROVIDER, person: from, by: 'person', text });
  const content =
    kind === 'media'
      ? {
          type: 'image',
          image: { id: '1', mime_type: 'image/jpeg', sha256: 'c2E=', caption: text },
        }
      : kind === 'edited'
        ? {
            type: 'edit',
            edit: {
              original_message_id: 'wamid.0',
              message: { type: 'text', text: { body: text } },
            },
          }
        : { type: 'text', text: { body: text } };
  const more = {
    ...(kind === 'forwarded' && { context: { forwarded: true } }),
    ...(kind === 'group' && { group_id: 'Y2FwaV9ncm91cDox' }),
  };
  const late = rest.late ?? 0;
  return inbound(world, config, { from, name, username, late, message: { ...content, ...more } });
};

/** A person touches a button below a message of the business. */
export const pressOnWhatsApp = async (
  world: World,
  config: WhatsAppConfig,
  { from, button }: Pressed,
): Promise<boolean> => {
  const person = await world.records.get<WhatsAppPerson>(PROVIDER, 'person', from);
  await keepEntry(world, {
    platform: PROVIDER,
    person: from,
    by: 'person',
    text: `[${button.title}]`,
  });
  const reply = { id: button.id, title: button.title };
  const message = {
    type: 'interactive',
    interactive: { type: 'button_reply', button_reply: reply },
    context: { from: config.WHATSAPP_PHONE_ID, id: 'wamid.asked' },
  };
  return inbound(world, config, { from, name: person?.name ?? 'Somebody', late: 0, message });
};

interface Inbound {
  readonly from: string;
  readonly name: string;
  readonly username?: string | undefined;
  /** Seconds that it was on its way. */
  readonly late: number;
  readonly message: object;
}

/** Who has a username shows no number, but for the id at this business. */
async function inbound(
  world: World,
  config: WhatsAppConfig,
  { from, name, username, late, message }: Inbound,
): Promise<boolean> {
  const seconds = world.clock.seconds() - late;
  const user_id = scopedId(from);
  await world.records.remove(PROVIDER, 'person', from);
  await world.records.insert(PROVIDER, 'person', from, { heard: seconds, name });
  await world.records.remove(PROVIDER, 'scoped', user_id);
  await world.records.insert(PROVIDER, 'scoped', user_id, { number: from });
  const isHidden = username !== undefined;
  const profile = { name, ...(isHidden && { username }) };
  return deliverWhatsApp(world, config, 'socialbot/whatsapp/webhook', {
    contacts: [{ profile, user_id, ...(!isHidden && { wa_id: from }) }],
    messages: [
      {
        ...(!isHidden && { from }),
        from_user_id: user_id,
        id: `wamid.${randomBytes(24).toString('base64')}`,
        timestamp: String(seconds),
        ...message,
      },
    ],
  });
}
