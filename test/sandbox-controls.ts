import { ask } from './ask.ts';
import type { Body, Harness } from './harness.ts';

/** What the sandbox says to a control that it does not carry out. */
class Refusal extends Error {
  readonly body: unknown;

  constructor(asked: string, text: string) {
    super(`The sandbox refuses ${asked}: ${text}`);
    this.body = JSON.parse(text);
  }
}

/** Of a control that may come too early or too late, and is refused then. */
export const unlessRefused = (asked: Promise<Body>): Promise<Body> =>
  asked.catch((error) => {
    if (!(error instanceof Refusal)) throw error;
  });

/** The controls of the sandbox at that address. One that it refuses would have armed nothing, so it throws. */
export const controlsAt =
  (url: () => string): Harness['sandbox'] =>
  async (method, path, body) => {
    const reply = await ask(`${url()}${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await reply.text();
    if (reply.status >= 300) throw new Refusal(`${method} ${path}`, text);
    return text === '' ? undefined : JSON.parse(text);
  };
