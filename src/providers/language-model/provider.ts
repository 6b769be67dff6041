import type { Provider } from '../provider.ts';
import { languageModel } from './adapter.ts';
import type { LanguageModel } from './port.ts';

export const languageModelProvider: Provider<'llm', LanguageModel> = {
  needs: { llm: ['LLM_URL', 'LLM_MODEL'] },
  open: ({ kernel: { config }, at }) =>
    languageModel({
      url: at(config.LLM_URL, '/llm/v1'),
      key: config.LLM_KEY,
      model: config.LLM_MODEL,
      json: config.LLM_JSON,
      timeoutMs: config.LLM_TIMEOUT * 1000,
    }),
};
