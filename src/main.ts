import { runService } from './app/start/service.ts';
import { loadConfig, misspeltSettings } from './kernel/config/config.ts';

try {
  await runService(loadConfig(process.env), misspeltSettings(process.env));
} catch (error) {
  process.stderr.write(`Archipay could not start: ${(error as Error).message}\n`);
  process.exit(1);
}
