import { expect, test } from 'vitest';
import { harness } from './harness.ts';

const h = await harness();
const at = async (path: string) => {
  const reply = await fetch(h.kernel.publicUrl() + path);
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    text: await reply.text(),
  };
};

interface Operation {
  readonly operationId: string;
  readonly summary: string;
}
const { paths } = JSON.parse((await at('/openapi.json')).text) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, said]) => ({
    line: `${method.toUpperCase()} ${path}`,
    said,
  })),
);

test('every operation has a page of text, listed for programs that read', async () => {
  const list = await at('/llms.txt');
  expect([list.status, list.type]).toEqual([200, 'text/plain; charset=utf-8']);
  const lines = list.text.split('\n').filter((line) => /^- \[.*\/docs\/api\//.test(line));
  expect(lines).toHaveLength(operations.length);
  for (const { line, said } of operations) {
    const address = `${h.kernel.publicUrl()}/docs/api/${said.operationId}.md`;
    expect(lines).toContain(`- [${said.summary}](${address}): ${line}`);
  }
});

test('a page has what the document has: values, example and refusals', async () => {
  const page = await at('/docs/api/cardsTopUp.md');
  expect([page.status, page.type]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect(page.text).toMatch(/^# .+\n\n`POST \/api\/card-checkout\/card`\n/);
  expect(page.text).toContain('| `card_number` | string | yes |');
  expect(page.text).toContain('"card_number": "4111111111111111"');
  expect(page.text).toContain('| `data.reference_id` | string | yes |');
  expect(page.text).toContain('`CARD_DECLINED`');
  expect(page.text).toContain('`Idempotency-Key`');
});

test('no page holds a value that could not be shown, and others are not found', async () => {
  const wrong = [];
  for (const { said } of operations) {
    const { status, text } = await at(`/docs/api/${said.operationId}.md`);
    if (status !== 200 || /undefined|\[object/.test(text)) wrong.push(said.operationId);
  }
  expect(wrong).toEqual([]);
  for (const path of ['cardsTopUp', 'nothing.md', '.md', 'constructor.md'])
    expect((await at(`/docs/api/${path}`)).status).toBe(404);
});
