# Doc
resource "aws_x" "web" {
  name = "a"
  nested { a = 1 }
}
variable "region" { default = "x" }
locals {
  a = 1
  b = "x"
}
module "m" { source = "./m" }
output "o" { value = 1 }
data "d" "e" {}
terraform { required_version = ">1" }
