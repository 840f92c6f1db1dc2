import { ssoCallback } from '@trellis/contract/identity/identity.endpoints'
import * as canvas from '@trellis/contract/integrations/canvas-sources.endpoints'
import * as calls from '@trellis/contract/integrations/integrations.endpoints'
import * as platforms from '@trellis/contract/integrations/platforms.endpoints'
import { type Route, handle } from '../../http/handle.ts'
import {
  getOutsideSchemas,
  getQueryFormas,
  getTransformationSchema,
  listIntegrationsFor,
  listOptions,
  listPlatformsFor,
  listTransformationIntegrations,
} from './canvas-sources.service.ts'
import { describeIntegration } from './describe-integration.ts'
import {
  createIntegration,
  deleteIntegration,
  getIntegration,
  listIntegrations,
  updateIntegration,
} from './integrations.service.ts'
import { finishSso } from '../identity/sso.service.ts'
import { finishLink, linkIntegration } from './oauth-link.ts'
import { getPlatform, getSetupForma, listPlatforms } from './platforms.ts'
import { previewSource } from './source-preview.service.ts'
import { tryRestSource } from './rest-trial.ts'
import { getValidationStatus, startValidation } from './validation.ts'

export const integrationsRoutes: readonly Route[] = [
  handle(platforms.listPlatforms, ({ query }, ctx) => listPlatforms(ctx, query.tags)),
  handle(platforms.getPlatform, ({ params }, ctx) => getPlatform(ctx, params.platform_trellis_code)),
  handle(platforms.getSetupForma, ({ params }, ctx) => getSetupForma(ctx, params.platform_trellis_code)),
  handle(calls.listIntegrations, ({ query }, ctx) => listIntegrations(ctx, query)),
  handle(calls.createIntegration, ({ body }, ctx) => createIntegration(ctx, body)),
  handle(calls.getIntegration, ({ params }, ctx) => getIntegration(ctx, params.integration_trellis_code)),
  handle(calls.updateIntegration, ({ params, body }, ctx) =>
    updateIntegration(ctx, params.integration_trellis_code, body),
  ),
  handle(calls.deleteIntegration, ({ params }, ctx) => deleteIntegration(ctx, params.integration_trellis_code)),
  handle(calls.linkIntegration, ({ body }, ctx) => linkIntegration(ctx, body.integration_trellis_code)),
  handle(calls.describeIntegration, ({ params }, ctx) => describeIntegration(ctx, params.integration_trellis_code)),
  handle(calls.getPostgresSchema, ({ params }, ctx) => getOutsideSchemas(ctx, params.integration_trellis_code)),
  handle(calls.validateIntegration, ({ params }, ctx) => startValidation(ctx, params.integration_trellis_code)),
  handle(calls.getValidationStatus, ({ params }, ctx) => getValidationStatus(ctx, params.integration_trellis_code)),
  handle(calls.listIntegrationOptions, ({ params, query }, ctx) =>
    listOptions(ctx, params.integration_trellis_code, query),
  ),
  handle(calls.previewSource, ({ params, body }, ctx) => previewSource(ctx, params.integration_trellis_code, body)),
  handle(calls.tryRestSource, ({ body }, ctx) => tryRestSource(ctx, body)),
  // Sign-in and consent share one redirect URL; the state tells them apart.
  handle(ssoCallback, async ({ query }, ctx) => (await finishLink(ctx, query)) ?? (await finishSso(ctx, query))),
  handle(canvas.listSourcePlatforms, (_, ctx) => listPlatformsFor(ctx, 'source')),
  handle(canvas.listDestinationPlatforms, (_, ctx) => listPlatformsFor(ctx, 'destination')),
  handle(canvas.listSourceIntegrations, ({ params }, ctx) => listIntegrationsFor(ctx, 'source', params.id)),
  handle(canvas.listDestinationIntegrations, ({ params }, ctx) => listIntegrationsFor(ctx, 'destination', params.id)),
  handle(canvas.listTransformationIntegrations, ({ params }, ctx) => listTransformationIntegrations(ctx, params.id)),
  handle(canvas.getTransformationSchema, ({ params }, ctx) => getTransformationSchema(ctx, params.id)),
  handle(canvas.getSourceFormas, ({ params }, ctx) => getQueryFormas(ctx, 'source', params.id)),
  handle(canvas.getDestinationFormas, ({ params }, ctx) => getQueryFormas(ctx, 'destination', params.id)),
]
