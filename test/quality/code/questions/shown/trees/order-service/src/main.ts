import { readConfig } from './config.ts'
import { serve } from './http/server.ts'
import { startSweeper } from './stock/sweeper.ts'

const config = readConfig('config/default.yml')
const server = serve(config)
const stop = startSweeper(config.stock.holdMinutes)

process.on('SIGTERM', () => {
  console.info('draining connections before exit')
  stop()
  server.close(() => process.exit(0))
})
