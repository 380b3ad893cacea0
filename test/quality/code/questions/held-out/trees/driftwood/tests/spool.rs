#[path = "../src/buffer/spool.rs"]
mod spool;

#[test]
fn oldest_goes_first_when_full() {
    let mut spool = spool::Spool::new(10);
    spool.add(vec![0; 8]);
    spool.add(vec![0; 8]);
    assert_eq!((spool.dropped, spool.first().unwrap().0), (1, 2));
}
