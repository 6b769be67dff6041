import type { Harness } from './harness.ts';

/** The controls of the sandbox at that address. */
export const controlsAt =
  (url: () => string): Harness['sandbox'] =>
  async (method, path, body) => {
    const reply = await fetch(`${url()}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return text === '' ? undefined : JSON.parse(text);
  };
