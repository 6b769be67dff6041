import { ask } from './ask.ts';
import type { Body, Harness } from './harness.ts';

/** The sandbox's refusal of a control. */
class Refusal extends Error {
  readonly body: unknown;

  constructor(control: string, text: string) {
    super(`The sandbox refuses ${control}: ${text}`);
    this.body = JSON.parse(text);
  }
}

/** For a control that may come too early or too late, and is then refused. */
export const unlessRefused = (control: Promise<Body>): Promise<Body> =>
  control.catch((error) => {
    if (!(error instanceof Refusal)) throw error;
  });

/** The controls of the sandbox at that address. A refused one has no effect, so it throws. */
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
