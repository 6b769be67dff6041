import { type Static, Type } from 'typebox';

/**
 * What the Cloud API takes at `POST /{version}/{phone id}/messages`, by Meta's reference alone
 * (developers.facebook.com/documentation/business-messaging/whatsapp/reference). What it does not name is left out.
 */
const Parameter = Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) });
const Component = Type.Object({
  type: Type.String(),
  sub_type: Type.Optional(Type.String()),
  index: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  parameters: Type.Optional(Type.Array(Parameter)),
});

const ReplyButton = Type.Object({
  type: Type.Literal('reply'),
  reply: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 256 }),
    title: Type.String({ minLength: 1, maxLength: 20 }),
  }),
});

export const GraphMessage = Type.Object({
  messaging_product: Type.Literal('whatsapp'),
  recipient_type: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  /** Instead of a number: the id of a person at this business. */
  recipient: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  biz_opaque_callback_data: Type.Optional(Type.String({ maxLength: 512 })),
  text: Type.Optional(
    Type.Object({
      body: Type.String({ minLength: 1, maxLength: 4096 }),
      preview_url: Type.Optional(Type.Boolean()),
    }),
  ),
  template: Type.Optional(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 512 }),
      language: Type.Object({ code: Type.String({ minLength: 2, maxLength: 10 }) }),
      components: Type.Optional(Type.Array(Component)),
    }),
  ),
  interactive: Type.Optional(
    Type.Object({
      type: Type.String(),
      body: Type.Object({ text: Type.String({ minLength: 1, maxLength: 1024 }) }),
      action: Type.Object({ buttons: Type.Optional(Type.Array(ReplyButton)) }),
    }),
  ),
  /** With these two it marks a message of the other side as read. */
  status: Type.Optional(Type.String()),
  message_id: Type.Optional(Type.String()),
});
export type GraphMessage = Static<typeof GraphMessage>;

/** In a body and behind a button of a template. */
const PARAMETER_MAX = 1024;
const CODE_MAX = 15;
/** Neither line ends, nor tabs, nor more than four spaces in a row. */
const PLAIN = /^(?!.* {5})[^\n\t]+$/;

/** What is wrong with a message, as a code of Meta's and its text; nothing where it is right. */
export function faultOfMessage(message: GraphMessage): readonly [number, string] | undefined {
  const { to = '', recipient, type = 'text', text, template } = message;
  if (recipient === undefined && !/\d{5,20}/.test(to)) return [100, 'Invalid parameter: to'];
  if (type === 'interactive') return faultOfButtons(message);
  if (type === 'text') return text ? undefined : [100, 'The parameter text is required.'];
  if (type !== 'template') return undefined;
  if (!template) return [100, 'The parameter template is required.'];
  const parameters = (template.components ?? []).flatMap(({ parameters: all = [] }) => all);
  const texts = parameters.flatMap(({ text: value }) => (value === undefined ? [] : [value]));
  if (texts.some((value) => value.length > PARAMETER_MAX || !PLAIN.test(value)))
    return [
      100,
      'Param text cannot have new-line/tab characters or more than 4 consecutive spaces',
    ];
  const code = codeOf(message);
  if (code && (code.shown !== code.copied || code.copied.length > CODE_MAX))
    return [132_000, 'Number of parameters does not match'];
  return undefined;
}

const BUTTONS_MAX = 3;

function faultOfButtons({ interactive }: GraphMessage): readonly [number, string] | undefined {
  const buttons = interactive?.action.buttons ?? [];
  if (interactive?.type !== 'button' || buttons.length < 1 || buttons.length > BUTTONS_MAX)
    return [131_009, 'Parameter value is not valid'];
  const ids = new Set(buttons.map(({ reply }) => reply.id));
  return ids.size === buttons.length ? undefined : [131_009, 'Parameter value is not valid'];
}

/** The buttons below a message, as the phone shows them. */
export const buttonsOf = ({ interactive }: GraphMessage) =>
  (interactive?.action.buttons ?? []).map(({ reply }) => reply);

/** Of an authentication template: the code in its text, and the one behind its button. */
function codeOf({ template }: GraphMessage) {
  const valueIn = (kind: string) =>
    template?.components?.find(({ type }) => type.toLowerCase() === kind)?.parameters?.[0]?.text;
  const copied = valueIn('button');
  return copied === undefined ? undefined : { shown: valueIn('body'), copied };
}

/** What the phone shows; the wording of an authentication template is the provider's. */
export function shownText(message: GraphMessage): string {
  const { type = 'text', text, template, interactive } = message;
  if (type === 'text') return text?.body ?? '';
  if (interactive) return interactive.body.text;
  const code = codeOf(message);
  if (code) return `${code.copied} is your verification code.`;
  const body = template?.components?.find(({ type: kind }) => kind.toLowerCase() === 'body');
  const said = (body?.parameters ?? []).map(({ text: value }) => value ?? '').join(' ');
  return said || `[${template?.name ?? type}]`;
}
