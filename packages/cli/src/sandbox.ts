import { Failure } from './command.ts';

/** The controls of a service's sandbox, which says itself where they are. */
export class Sandbox {
  readonly url: string;

  constructor(url: string) {
    this.url = url.replace(/\/+$/, '');
  }

  static async of(serviceUrl: string, named?: string): Promise<Sandbox> {
    if (named) return new Sandbox(named);
    const places = await asked(`${serviceUrl}/`, {});
    const { sandbox } = places as { sandbox?: string };
    if (sandbox !== undefined) return new Sandbox(sandbox);
    throw new Failure('NO_SANDBOX', `${serviceUrl} has no sandbox`, {
      hint: 'Its money is real, or ARCHIPAY_SANDBOX_URL has to name the sandbox',
    });
  }

  /** Uses a control: `POST`, `/clock`. */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    return (await asked(this.url + path, { method, ...(body && { body }) })) as T;
  }
}

async function asked(url: string, { method = 'GET', body }: { method?: string; body?: object }) {
  const reply = await fetch(url, {
    method,
    headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((cause) => {
    throw new Failure('NO_ANSWER', `Nothing answers at ${url}: ${cause.cause?.code ?? cause}`);
  });
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.includes('json') === true;
  const answer = isJson && text !== '' ? JSON.parse(text) : text;
  if (reply.ok) return answer;
  throw new Failure(answer?.code ?? `HTTP_${reply.status}`, answer?.error ?? `${method} ${url}`);
}
