import type { FastifyInstance } from 'fastify';
import { scope } from '#kernel/http/declare/scope.ts';
import { escapeHtml } from '#kernel/http/pages/pages.ts';
import { show, takeForms } from '#sandbox/hosted-page.ts';
import type { World } from '#sandbox/simulator.ts';
import { CHAT_PLATFORMS, type ChatEntry, type ChatPlatform, chatOf } from './chats.ts';
import { type AllPeople, buttonOf, WRITTEN_KINDS, type Written } from './people.ts';

/** How a call reaches the service: once, or by a fault of the sandbox. */
const HOW = {
  once: 'once',
  twice: 'twice at the same time',
  late: 'five seconds late',
  forged: 'forged, as by another sender',
} as const;
const FAULT = {
  twice: 'duplicate-callback',
  late: 'late-callback',
  forged: 'bad-signature',
} as const;
const LATE_MS = 5000;

interface ChatForm {
  platform?: string;
  from?: string;
  name?: string;
  text?: string;
  kind?: string;
  how?: string;
  button?: string;
}

interface Person {
  readonly platform: ChatPlatform;
  readonly from: string;
  readonly name: string;
}

const PATH = '/social/chat';

/** `GET /social/chat`: a chat with our bots, as a person has it on the phone. */
export function chatPages(server: FastifyInstance, world: World, people: AllPeople): void {
  scope(server, 'chat page', (pages) => {
    takeForms(pages);
    pages.get<{ Querystring: ChatForm }>(PATH, async ({ query }, reply) => {
      const person = personOf(query);
      const entries = await chatOf(world, person.platform, person.from);
      return show(reply, 200, { title: 'Chat with the bot', content: content(person, entries) });
    });
    pages.post<{ Body: ChatForm | null }>(PATH, async ({ body }, reply) => {
      const form = body ?? {};
      const person = personOf(form);
      await act(world, people, person, form);
      // So that the page can be loaded again without writing anything again.
      return reply.redirect(addressOf(person), 303);
    });
  });
}

async function act(
  world: World,
  people: AllPeople,
  { platform, from, name }: Person,
  { text = '', kind, how = 'once', button }: ChatForm,
): Promise<void> {
  const fault = FAULT[how as keyof typeof FAULT];
  if (fault !== undefined) world.faults.arm({ provider: platform, kind: fault, ms: LATE_MS });
  if (button !== undefined) {
    const pressed = { from, button: await buttonOf(world, platform, from, button) };
    await people[platform].press(world, pressed);
  } else if (text.trim() !== '') {
    const known = WRITTEN_KINDS.find((one) => one === kind);
    const written: Written = { from, name, text: text.trim(), ...(known && { kind: known }) };
    await people[platform].write(world, written);
  }
}

function personOf({ platform, from, name }: ChatForm): Person {
  const known = CHAT_PLATFORMS.find((one) => one === platform) ?? 'telegram';
  const usual = known === 'telegram' ? '70010001' : '6281200001111';
  const isNumber = /^[1-9]\d{3,15}$/.test(from ?? '');
  return {
    platform: known,
    from: isNumber && from !== undefined ? from : usual,
    name: name?.trim() || 'Ada',
  };
}

const addressOf = (person: Person): string => `${PATH}?${new URLSearchParams({ ...person })}`;

const NAMES = { telegram: 'Telegram', whatsapp: 'WhatsApp' };

function content(person: Person, entries: readonly ChatEntry[]): string {
  const { platform, from, name } = person;
  const other = platform === 'telegram' ? 'whatsapp' : 'telegram';
  return `
  <h1>${NAMES[platform]}: ${escapeHtml(name)} and the bot</h1>
  <p class="soft">The app shows a code after <code>POST /socialbot/start</code>. Write it here as that person does.
    <a href="${escapeHtml(addressOf(personOf({ platform: other, name })))}">The same at ${NAMES[other]}</a></p>
  <ol>${[...entries]
    .reverse()
    .map((entry) => shownEntry(person, entry))
    .join('')}
  </ol>
  <form method="post">
    ${hidden({ platform })}
    <label>Number of the person <input name="from" value="${escapeHtml(from)}" inputmode="numeric" required></label>
    <label>Name <input name="name" value="${escapeHtml(name)}" maxlength="64" required></label>
    <label>Message <input name="text" maxlength="4096" autocomplete="off"></label>
    ${choice('What it is', 'kind', Object.fromEntries(WRITTEN_KINDS.map((kind) => [kind, kind])))}
    ${choice('Arrives', 'how', HOW)}
    <button>Write</button>
  </form>
  <p><a href="${escapeHtml(addressOf(person))}">Look again</a></p>`;
}

const choice = (label: string, name: string, options: Readonly<Record<string, string>>): string =>
  `<label>${label} <select name="${name}">${Object.entries(options)
    .map(([value, said]) => `<option value="${value}">${said}</option>`)
    .join('')}</select></label>`;

const hidden = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');

function shownEntry(person: Person, { by, text, buttons, alert }: ChatEntry): string {
  const whose = by === 'bot' ? (alert ? 'The bot, over the chat' : 'The bot') : person.name;
  const keys = buttons.map(
    ({ id, title }) =>
      `<button name="button" value="${escapeHtml(id)}" class="second">${escapeHtml(title)}</button>`,
  );
  const form =
    keys.length === 0 ? '' : `<form method="post">${hidden({ ...person })}${keys.join(' ')}</form>`;
  return `
    <li><b>${escapeHtml(whose)}:</b> ${escapeHtml(text)}${form}</li>`;
}
