import { Type } from 'typebox';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { TextOrNull, Timestamp, text } from '#kernel/http/declare/schema.ts';
import { detectUrl } from '#providers/shop/port.ts';
import { admitStep } from './ceilings.ts';
import type { PurchaseDeps } from './deps.ts';
import { lacking, outsideOrders, ProductInput, purchaseProductOf } from './order-input.ts';
import { CarriedProduct } from './presenters.ts';
import { sealedSource, sealPage } from './product-source.ts';
import { PricingShape, priceNow, sealQuote, shownPricing } from './quote.ts';
import { readProduct } from './read-product.ts';
import { confirmationOf, intentOf, summaryOf } from './wording.ts';

const endpoint = endpoints(errorEnvelope);

/** From a prompt to a price (contract: AI purchase flow). The steps store nothing and move no money. */
export const stepRoutes = (deps: PurchaseDeps): Route[] => [
  intentRoute(deps),
  productRoute(deps),
  priceRoute(deps),
];

const intentRoute = (deps: PurchaseDeps): Route =>
  endpoint('POST /mcp/step1', {
    name: 'purchases.readWish',
    auth: 'key',
    errors: ['PROVIDER_UNAVAILABLE'],
    summary: 'What somebody wants, and the address of the page that they name',
    body: Type.Object({ prompt: text(4000) }),
    invalid: 'Prompt is required.',
    reply: {
      200: Type.Object({
        step: Type.Literal(1),
        detected_intent: Type.String(),
        detected_url: TextOrNull,
      }),
    },
    async handler({ caller, request, body: { prompt } }) {
      await admitStep(deps, caller, request);
      return {
        step: 1 as const,
        detected_intent: await intentOf(deps.model, prompt),
        detected_url: detectUrl(prompt),
      };
    },
  });

const productRoute = (deps: PurchaseDeps): Route =>
  endpoint('POST /mcp/step2', {
    name: 'purchases.readPage',
    auth: 'key',
    errors: ['PAGE_UNREADABLE', 'PROVIDER_UNAVAILABLE'],
    summary: 'Reads the product off a shop’s page',
    body: Type.Object({ url: text(4096) }),
    invalid: 'Invalid URL',
    reply: {
      200: Type.Object({
        step: Type.Literal(2),
        product: CarriedProduct,
        ai_summary: Type.String(),
      }),
    },
    async handler({ caller, request, body: { url } }) {
      await admitStep(deps, caller, request);
      const leave = await deps.shares.enter('pages', { caller, ip: request.ip });
      const product = await readProduct(deps.pages, url).finally(leave);
      const ai_summary = await summaryOf(deps.model, product);
      const page_seal = sealPage(deps, product);
      return { step: 2 as const, product: { ...product, page_seal }, ai_summary };
    },
  });

const PRICED = ['product.title', 'product.priceText'];

const priceRoute = (deps: PurchaseDeps): Route =>
  endpoint('POST /mcp/step3a', {
    name: 'purchases.quote',
    auth: 'key',
    errors: ['PRICE_UNREADABLE', '400 PRICE_CHANGED', 'PROVIDER_UNAVAILABLE'],
    summary: 'What a product costs in USDC now, with a quote that the order may bring along',
    body: Type.Object({ product: outsideOrders('SeenPurchaseProduct', ProductInput) }),
    bodyKind: 'list',
    invalid: lacking('title and priceText of the product are required', PRICED),
    reply: {
      200: Type.Object({
        step: Type.Literal('3a'),
        product: CarriedProduct,
        pricing: Type.Object({
          ...PricingShape.properties,
          quote: Type.String(),
          quote_expires_at: Timestamp,
        }),
        ai_confirmation: Type.String(),
        ready_for_recipient_data: Type.Boolean(),
      }),
    },
    async handler({ caller, request, body }) {
      await admitStep(deps, caller, request);
      const given = purchaseProductOf(body.product);
      const product = { ...given, ...sealedSource(deps, given)?.product };
      const pricing = await priceNow(deps, product.priceText);
      return {
        step: '3a' as const,
        product,
        pricing: { ...shownPricing(pricing), ...sealQuote(deps, pricing) },
        ai_confirmation: await confirmationOf(deps.model, product.title, pricing),
        ready_for_recipient_data: true,
      };
    },
  });
