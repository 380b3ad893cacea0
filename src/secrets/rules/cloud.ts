/** Tokens of clouds, databases and infrastructure. The forms are those that the services document. */
import { token } from './rule.ts'

export const cloudTokens = [
  // ids of users, roles and policies (AIDA, AROA …) are no credentials
  token('aws', 'AKIA ASIA ABIA ACCA', '[A-Z0-9]{16}(?![A-Za-z0-9])', '(?<![A-Za-z0-9/+])'),
  token('aws', 'ABSK', '[A-Za-z0-9+/]{109,269}'),
  token('google', 'AIza', '[\\w-]{35}(?![\\w-])'),
  token('google', 'GOCSPX-', '[\\w-]{28}(?![\\w-])'),
  token('google', 'ya29.', '[\\w-]{30,2000}'),
  token('google', '1//0', '[\\w-]{40,200}'),
  // a client secret of Entra ID: three characters, a digit and `Q~` before the rest
  token('azure', 'Q~', '[\\w~.-]{31,34}(?![\\w~.-])', '(?<=(?<![\\w~.-])[\\w~.]{3}\\d)'),
  // keys that Azure made identifiable: the mark stands after 52 characters
  token('azure', 'JQQJ99', '[A-Za-z0-9]{26,90}', '(?<=(?<![A-Za-z0-9])[A-Za-z0-9]{52})'),
  token('alibaba', 'LTAI', '[A-Za-z0-9]{12,20}(?![A-Za-z0-9])'),
  token('tencent', 'AKID', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
  token('digitalocean', 'dop_v1_ doo_v1_ dor_v1_', '[a-f0-9]{64}(?![A-Za-z0-9])'),
  token('databricks', 'dapi', '[a-f0-9]{32}(?![A-Za-z0-9])(?:-\\d{1,3})?'),
  token('vault', 'hvs. hvb. hvr.', '[\\w-]{24,300}'),
  token('terraform', '.atlasv1.', '[\\w=-]{60,70}', '(?<=[A-Za-z0-9]{14})'),
  token('pulumi', 'pul-', '[a-f0-9]{40}(?![A-Za-z0-9])'),
  token('planetscale', 'pscale_tkn_ pscale_oauth_ pscale_pw_', '[\\w=.-]{32,64}'),
  token('supabase', 'sbp_ sbp_oauth_', '[a-f0-9]{40}(?![A-Za-z0-9])'),
  token('supabase', 'sb_secret_', '[\\w-]{22,60}'),
  token('heroku', 'HRKU-', '[\\w-]{36,65}'),
  token('fly', 'fo1_', '[\\w-]{43}'),
  token('fly', 'fm1a_ fm1r_ fm2_', '[A-Za-z0-9+/]{100,2000}'),
  token('netlify', 'nfp_ nfc_ nfo_ nfu_', '[A-Za-z0-9_]{36}(?!\\w)'),
  token('render', 'rnd_', '[A-Za-z0-9]{28,40}(?!\\w)'),
  token('cloudflare', 'v1.0-', '[a-f0-9]{24}-[a-f0-9]{146}'),
  token('tailscale', 'tskey-', '[a-z]{3,10}-[A-Za-z0-9]{10,30}-[A-Za-z0-9]{20,50}'),
  token('openshift', 'sha256~', '[\\w-]{43}(?![\\w-])'),
  token('doppler', 'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', '(?:[\\w-]{2,35}\\.)?[A-Za-z0-9]{40,44}'),
  token('infracost', 'ico-', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'),
  token('clickhouse', '4b1d', '[A-Za-z0-9]{38}(?![A-Za-z0-9])'),
  token('prefect', 'pnu_ pnb_', '[A-Za-z0-9]{36}(?!\\w)'),
  token('1password', 'ops_ey', '[A-Za-z0-9+/=]{100,1300}'),
  token('1password', 'A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}(?![A-Z0-9])'),
]
