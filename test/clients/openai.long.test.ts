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
  expect(data.map(({ id }) => id)).toEqual(['sandbox-rules', 'sandbox-rules-reasoning']);
});

test('openai reads the status of refusals', async () => {
  await expect(client('other').chat.completions.create(wish)).rejects.toMatchObject({
    status: 401,
  });
  const unknown = { ...wish, model: 'another' };
  await expect(client().chat.completions.create(unknown)).rejects.toMatchObject({ status: 404 });
});

test('openai learns that a reasoning model takes no max_tokens', async () => {
  const { completions } = client().chat;
  const model = 'sandbox-rules-reasoning';
  await expect(completions.create({ ...wish, model, max_tokens: 400 })).rejects.toMatchObject({
    status: 400,
    code: 'unsupported_parameter',
    param: 'max_tokens',
  });
  const { choices } = await completions.create({ ...wish, model, max_completion_tokens: 400 });
  expect(choices).toHaveLength(1);
});

test('openai sends developer and tool messages, and reads a stream', async () => {
  const { completions } = client().chat;
  const call = { id: 'c1', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
  const messages = [
    { role: 'developer' as const, content: 'Answer in one sentence.' },
    { role: 'user' as const, content: 'Hello' },
    { role: 'assistant' as const, content: null, tool_calls: [call] },
    { role: 'tool' as const, tool_call_id: 'c1', content: '1' },
  ];
  const whole = await completions.create({ ...wish, messages });
  let text = '';
  for await (const { choices } of await completions.create({ ...wish, messages, stream: true }))
    text += choices[0]?.delta.content ?? '';
  expect(text).toBe(whole.choices[0]?.message.content);
});
