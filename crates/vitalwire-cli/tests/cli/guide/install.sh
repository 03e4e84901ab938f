git clone https://github.com/vitalwire/vitalwire
cargo install --locked --path vitalwire/crates/vitalwire-cli
