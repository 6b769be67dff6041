import { context, propagation, trace } from '@opentelemetry/api';
import type { Config } from '#kernel/config/config.ts';

/** Sends traces to the configured OTLP endpoint; loads nothing when there is none. */
export async function startTracing(config: Config): Promise<() => Promise<void>> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return async () => undefined;
  const [
    { NodeTracerProvider, BatchSpanProcessor },
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'archipay', 'archipay.role': config.ROLE }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  return async () => {
    await provider.shutdown();
    for (const api of [trace, context, propagation]) api.disable();
  };
}
