import { type Static, Type } from 'typebox';
import { integerInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import type { World } from '#sandbox/simulator.ts';
import { type ChatPlatform, chatOf } from './chats.ts';
import type { ShownButton } from './telegram-schema.ts';

export const WRITTEN_KINDS = ['text', 'group', 'forwarded', 'edited', 'media'] as const;

export const WrittenMessage = Type.Object({
  /** A number: of a person at Telegram, of a phone at WhatsApp. */
  from: Type.String({ pattern: '^[1-9]\\d{3,15}$' }),
  name: text(64),
  text: text(4096),
  kind: Type.Optional(oneOfWords(WRITTEN_KINDS)),
  username: Type.Optional(text(32)),
  /** A tag such as `id`, which Telegram tells of its people. */
  language: Type.Optional(text(10)),
  /** Seconds that the message was on its way. */
  late: Type.Optional(integerInput(0, 1_000_000)),
});
export type Written = Static<typeof WrittenMessage>;

export const PressedButton = Type.Object({
  from: Type.String({ pattern: '^[1-9]\\d{3,15}$' }),
  /** The id of a button, or what stands on the last one of that name. */
  button: text(256),
});
export interface Pressed {
  readonly from: string;
  readonly button: ShownButton;
}

/** How people of a platform do something. Each answers whether the service has taken it. */
export interface People {
  write(world: World, written: Written): Promise<boolean>;
  press(world: World, pressed: Pressed): Promise<boolean>;
}
export type AllPeople = Readonly<Record<ChatPlatform, People>>;

/** The newest one with that id or those words; a button that was never there, as a forger would press it. */
export async function buttonOf(
  world: World,
  platform: ChatPlatform,
  person: string,
  wanted: string,
): Promise<ShownButton> {
  const entries = await chatOf(world, platform, person);
  const shown = entries.flatMap(({ buttons }) => buttons);
  return (
    shown.find(({ id, title }) => id === wanted || title === wanted) ?? {
      id: wanted,
      title: wanted,
    }
  );
}
