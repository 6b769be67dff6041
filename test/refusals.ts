import { refusalsOf } from '#kernel/http/declare/declared-errors.ts';
import type { Route, RouteId } from '#kernel/http/declare/route.ts';
import type { Body } from './harness.ts';

/** Throws if an endpoint has answered a failure that its declaration does not list. */
export function mustBeDeclared(
  routes: readonly Route[],
  id: RouteId,
  status: number,
  body: Body,
): void {
  const code = body?.error_code ?? body?.code ?? body?.error?.code;
  const route = routes.find((one) => one.id === id);
  if (status < 400 || !route || typeof code !== 'string') return;
  mustBeTold(body?.details ?? body?.error?.details, route.endpoint.name);
  // A failure with a shape of its own is declared as that.
  if (status in route.endpoint.reply || status === NO_REQUEST) return;
  const known = refusalsOf(route).find((refusals) => refusals.status === status);
  if (known?.codes.some((one) => one === code)) return;
  throw new Error(`${route.endpoint.name} answers ${status} ${code}, which its errors do not say`);
}

/** An oversized request never reaches an endpoint. */
const NO_REQUEST = 431;

/** Details match the document: faults field by field, facts by name, or words. */
function mustBeTold(details: Body, name: string): void {
  const isFault = ({ field, message }: Body) =>
    typeof field === 'string' && typeof message === 'string';
  const isKnown = Array.isArray(details)
    ? details.every(isFault)
    : details === undefined ||
      (typeof details === 'object' && details !== null) ||
      typeof details === 'string';
  if (!isKnown) throw new Error(`${name} answers details that the document does not know of`);
}

/** The messages, none of which breaks a sentence over lines: on a phone it would be broken twice. */
export function whole(sent: Body[]): Body[] {
  const broken = sent.find(({ text }) => /\S\n[a-z]/.test(text));
  if (broken) throw new Error(`A sentence is broken over lines: ${broken.text}`);
  return sent;
}
