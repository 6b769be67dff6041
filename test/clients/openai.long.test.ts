// Long: it loads the provider's own library.

import OpenAI from 'openai';
import { expect, test } from 'vitest';
import { modelSimulator } from '#sandbox/providers/language-model/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';

const credentials = { LLM_KEY: 'llm-key', LLM_MODEL: 'sandbox-rules' };
const sandbox = await testSandbox(modelSimulator(credentials));
const client = (apiKey = credentials.LLM_KEY) =>
  new OpenAI({ apiKey, baseURL: `${sandbox.url}/llm/v1`, maxRetries: 0 });
const wish = {
  model: credentials.LLM_MODEL,
  messages: [
    { role: 'system' as const, content: 'Answer in one sentence.' },
    { role: 'user' as const, content: 'Hello' },
  ],
};

test('openai completes a chat and lists the models', async () => {
  const { choices, usage } = await client().chat.completions.create(wish);
  expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } });
  expect(usage?.total_tokens).toBeGreaterThan(0);
  const { data } = await client().models.list();
  expect(data.map(({ id }) => id)).toEqual([credentials.LLM_MODEL]);
});

test('openai reads the status of refusals', async () => {
  await expect(client('other').chat.completions.create(wish)).rejects.toMatchObject({
    status: 401,
  });
  const unknown = { ...wish, model: 'another' };
  await expect(client().chat.completions.create(unknown)).rejects.toMatchObject({ status: 404 });
});
