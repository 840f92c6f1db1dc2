import { startPaymentSandbox } from '@trellis/payment-sandbox/start-payment-sandbox'
import type { PaymentSandbox } from '@trellis/payment-sandbox/start-payment-sandbox'
import Stripe from 'stripe'
import type { Config } from '../config.ts'

export const SANDBOX_PATH = '/sandbox-pay'
export const WEBHOOK_PATH = '/webhooks/stripe'

/** Stripe, or the sandbox without keys; both through the SDK. */
export interface Payments {
  readonly isSandbox: boolean
  client(): Promise<Stripe>
  webhookSecret(): Promise<string | undefined>
  /** Where this process receives webhooks, for the sandbox. */
  receiveAt(url: string): Promise<void>
  sandbox(): Promise<PaymentSandbox | undefined>
  close(): Promise<void>
}

type PaymentConfig = Pick<Config, 'stripe' | 'databaseUrl' | 'publicUrl'>

const COMMON = { maxNetworkRetries: 2, timeout: 20_000, telemetry: false, appInfo: { name: 'Trellis' } } as const

export function createPayments(config: PaymentConfig): Payments {
  return config.stripe ? realPayments(config.stripe) : sandboxPayments(config)
}

function realPayments(keys: { secretKey: string; webhookSecret: string | undefined }): Payments {
  const stripe = new Stripe(keys.secretKey, COMMON)
  return {
    isSandbox: false,
    client: async () => stripe,
    webhookSecret: async () => keys.webhookSecret,
    receiveAt: async () => undefined,
    sandbox: async () => undefined,
    close: async () => undefined,
  }
}

interface OpenSandbox {
  sandbox: PaymentSandbox
  stripe: Stripe
}

async function openSandbox(config: PaymentConfig): Promise<OpenSandbox> {
  const sandbox = await startPaymentSandbox({
    databaseUrl: config.databaseUrl ?? '',
    pagesUrl: `${config.publicUrl}${SANDBOX_PATH}`,
  })
  const { host, port, secretKey } = sandbox
  // A live key must never be sent to the sandbox.
  if (!secretKey.startsWith('sk_test_')) throw new Error('The payment sandbox works with test keys alone.')
  return { sandbox, stripe: new Stripe(secretKey, { ...COMMON, maxNetworkRetries: 0, host, port, protocol: 'http' }) }
}

function sandboxPayments(config: PaymentConfig): Payments {
  let opened: Promise<OpenSandbox> | undefined
  const open = async () => {
    opened ??= openSandbox(config).then(async (freshSandbox) => {
      if (address !== undefined) await freshSandbox.sandbox.deliverTo(address)
      return freshSandbox
    })
    opened.catch(() => (opened = undefined))
    return await opened
  }
  let secret: string | undefined
  let address: string | undefined
  return {
    isSandbox: true,
    client: async () => (await open()).stripe,
    webhookSecret: async () => (secret ??= await (await open()).sandbox.webhookSecret()),
    receiveAt: async (url) => {
      address = url
      const running = await opened
      await running?.sandbox.deliverTo(url)
    },
    sandbox: async () => (await open()).sandbox,
    close: async () => {
      const running = await opened?.catch(() => undefined)
      opened = undefined
      await running?.sandbox.stop()
    },
  }
}
